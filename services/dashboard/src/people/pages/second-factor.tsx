import { data, Form, Link, redirect, useNavigation } from 'react-router';
import { Badge } from '../../app/components/badge.tsx';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { Card, Section } from '../../app/components/page.tsx';
import type { FailedForm } from '../../app/pages/failed-form.ts';
import { contextOf, cookieHeaders, load, submit, webRequestOf } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/second-factor';
import { BackupCodes } from './backup-codes.tsx';
import { CurrentPasswordField, UsernameHint } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Two-step sign-in · Shopscope' }];

export async function loader({ context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const { secondFactor } = contextOf(context).application;
  return { email: person.email, codesLeft: await load(context, () => secondFactor.backupCodesLeft(person)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const person = context.get(sessionContext);
  const webRequest = webRequestOf(request, context);
  const { secondFactor } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const password = form.secret('password');
    switch (form.text('intent')) {
      case 'begin':
        await secondFactor.begin(password, person, webRequest);
        throw redirect('/account/two-factor/set-up');
      case 'codes':
        return { backupCodes: await secondFactor.newBackupCodes(password, person, webRequest) };
      case 'disable': {
        const cookies = await secondFactor.disable(password, person, webRequest);
        throw redirect('/account?notice=second-factor-off', { headers: cookieHeaders(cookies) });
      }
      default:
        throw data({}, { status: 404 });
    }
  });
}

export default function SecondFactor({ loaderData: { email, codesLeft }, actionData }: Route.ComponentProps) {
  if (actionData && 'backupCodes' in actionData) {
    return (
      <>
        <h1 className="text-xl">Your new backup codes</h1>
        <BackupCodes codes={actionData.backupCodes} next="/account/two-factor" />
      </>
    );
  }
  const intent = actionData?.values.intent;
  const formOf = (name: string) => (intent === name ? actionData : undefined);
  return (
    <>
      <div className="grid gap-2">
        <p className="text-sm">
          <Link to="/account" className="link">
            Your account
          </Link>
        </p>
        <h1 className="text-xl">Two-step sign-in</h1>
        <p className="max-w-[68ch] text-quiet">
          A sign-in then needs your password and a code of an authenticator app, such as 1Password, Google Authenticator
          or Aegis. Somebody who learns your password still cannot sign in.
        </p>
      </div>
      {codesLeft === undefined ? (
        <Card>
          <PasswordForm intent="begin" label="Turn on" email={email} form={formOf('begin')} primary />
        </Card>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-x-3">
            <Badge tone="ok">On</Badge>
            <span className={codesLeft <= 3 ? 'text-warning' : 'text-quiet'}>
              {codesLeft === 1 ? '1 backup code is' : `${codesLeft} backup codes are`} left
            </span>
          </p>
          <Section title="New backup codes">
            <Card className="grid gap-4">
              <p>A backup code signs you in once when you do not have the app. New codes replace all older ones.</p>
              <PasswordForm intent="codes" label="Make new codes" email={email} form={formOf('codes')} />
            </Card>
          </Section>
          <Section title="Turn off">
            <Card className="grid gap-4">
              <p>Your password alone is enough to sign in then. Your other sessions end.</p>
              <PasswordForm intent="disable" label="Turn off" email={email} form={formOf('disable')} danger />
            </Card>
          </Section>
        </>
      )}
    </>
  );
}

function PasswordForm(props: {
  intent: string;
  label: string;
  email: string;
  form: FailedForm | undefined;
  primary?: boolean;
  danger?: boolean;
}) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <Form method="post" className="grid gap-4">
      <input type="hidden" name="intent" value={props.intent} />
      <UsernameHint email={props.email} />
      <FormNotice problem={props.form?.problem} />
      <CurrentPasswordField form={props.form} label="Your password" />
      <div>
        <Button kind={props.primary ? 'primary' : props.danger ? 'danger' : 'secondary'} disabled={isBusy}>
          {props.label}
        </Button>
      </div>
    </Form>
  );
}
