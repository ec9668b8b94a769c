import { Form, redirect, useNavigation } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, cookieHeaders, load, nextOf, submit, webRequestOf } from '../../app/pages/server.ts';
import { requireSession, sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/confirm';
import { CodeField, CurrentPasswordField, UsernameHint } from './fields.tsx';
import { SingleSignOnLink } from './single-sign-on-button.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm that it is you · Shopscope' }];

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId, email } = context.get(sessionContext);
  const { sessions, singleSignOn } = contextOf(context).application;
  const ways = await load(context, () => sessions.confirmations(userId));
  return { email, next: nextOf(request), ways, singleSignOn: ways.singleSignOn ? singleSignOn?.name : undefined };
}

export async function action({ request, context }: Route.ActionArgs) {
  const person = context.get(sessionContext);
  const { sessions } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const code = form.text('code');
    const given = code === '' ? { password: form.secret('password') } : { code };
    const cookies = await sessions.confirm(person, given, webRequestOf(request, context));
    throw redirect(nextOf(request), { headers: cookieHeaders(cookies) });
  });
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { email, next, ways, singleSignOn } = loaderData;
  const isBusy = useNavigation().state !== 'idle';
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Confirm that it is you</h1>
        <p className="text-quiet">
          This needs a sign-in of the last 15 minutes. Sign in again as{' '}
          <span className="[overflow-wrap:anywhere]">{email}</span>. Nothing was changed.
        </p>
      </div>
      {(ways.password || ways.code) && (
        // The next page may be a download, which only the browser itself can open.
        <Form method="post" reloadDocument className="grid gap-4">
          <FormNotice problem={actionData?.problem} />
          <UsernameHint email={email} />
          {ways.password && <CurrentPasswordField form={actionData} autoFocus required={!ways.code} />}
          {ways.code && (
            <CodeField
              form={actionData}
              label={ways.password ? 'Or a code of your authenticator app' : 'Code of your authenticator app'}
              inputMode="numeric"
              required={false}
            />
          )}
          <Button kind="primary" disabled={isBusy}>
            Confirm
          </Button>
        </Form>
      )}
      {singleSignOn && (
        <SingleSignOnLink next={next} again>
          Confirm with {singleSignOn}
        </SingleSignOnLink>
      )}
      {singleSignOn && (
        <p className="text-sm text-quiet">
          Does this page come back? Then {singleSignOn} does not tell when you signed in.{' '}
          <a href="/forgot-password" className="link">
            Choose a password
          </a>{' '}
          and confirm with it.
        </p>
      )}
    </>
  );
}
