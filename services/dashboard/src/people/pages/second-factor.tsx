import { data, redirect } from 'react-router';
import { Badge } from '../../app/components/badge.tsx';
import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Section } from '../../app/components/page.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { cookieHeaders, load, sessionContext, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/second-factor';
import { BackupCodes } from './backup-codes.tsx';
import { CurrentPasswordField, UsernameHint } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Two-step sign-in · Shopscope' }];

export async function loader({ context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const codesLeft = await load(context, ({ secondFactor }) => secondFactor.backupCodesLeft(person));
  return { email: person.email, codesLeft };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { secondFactor }, webRequest) => {
    const person = args.context.get(sessionContext);
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

export default function SecondFactor({ loaderData: { email, codesLeft }, actionData }: Route.ComponentProps) {
  if (actionData && 'backupCodes' in actionData) {
    return (
      <>
        <h1 className="text-xl">Your new backup codes</h1>
        <BackupCodes codes={actionData.backupCodes} next="/account/two-factor" />
      </>
    );
  }
  return (
    <>
      <div className="grid gap-2">
        <p className="text-sm">
          <TextLink to="/account">Your account</TextLink>
        </p>
        <h1 className="text-xl">Two-step sign-in</h1>
        <p className="max-w-[68ch] text-quiet">
          A sign-in then needs your password and a code of an authenticator app, such as 1Password, Google Authenticator
          or Aegis. Somebody who learns your password still cannot sign in.
        </p>
      </div>
      {codesLeft === undefined ? (
        <Card>
          <PasswordForm intent="begin" label="Turn on" email={email} failed={actionData} kind="primary" />
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
              <PasswordForm intent="codes" label="Make new codes" email={email} failed={actionData} />
            </Card>
          </Section>
          <Section title="Turn off">
            <Card className="grid gap-4">
              <p>Your password alone is enough to sign in then. Your other sessions end.</p>
              <PasswordForm intent="disable" label="Turn off" email={email} failed={actionData} kind="danger" />
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
  failed: FailedForm | undefined;
  kind?: 'primary' | 'danger';
}) {
  return (
    <PostForm intent={props.intent} failed={props.failed}>
      <UsernameHint email={props.email} />
      <CurrentPasswordField label="Your password" />
      <div>
        <SubmitButton kind={props.kind ?? 'secondary'}>{props.label}</SubmitButton>
      </div>
    </PostForm>
  );
}
