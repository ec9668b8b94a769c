import { redirect } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { contextOf, cookieHeaders, load, nextOf, sessionContext, submit } from '../../app/pages/server.ts';
import { requireSession } from '../../app/pages/session.ts';
import type { Route } from './+types/confirm';
import { CodeField, CurrentPasswordField, UsernameHint } from './fields.tsx';
import { SingleSignOnLink } from './single-sign-on-button.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm that it is you · Shopscope' }];

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId, email } = context.get(sessionContext);
  const { singleSignOn } = contextOf(context).application;
  const ways = await load(context, ({ sessions }) => sessions.confirmations(userId));
  return { email, next: nextOf(request), ways, singleSignOn: ways.singleSignOn ? singleSignOn?.name : undefined };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { sessions }, webRequest) => {
    const code = form.text('code');
    const given = code === '' ? { password: form.secret('password') } : { code };
    const cookies = await sessions.confirm(args.context.get(sessionContext), given, webRequest);
    throw redirect(nextOf(args.request), { headers: cookieHeaders(cookies) });
  });

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { email, next, ways, singleSignOn } = loaderData;
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
        // The next page may be a download, which only a document navigation can open.
        <PostForm failed={actionData} reloadDocument>
          <UsernameHint email={email} />
          {ways.password && <CurrentPasswordField autoFocus required={!ways.code} />}
          {ways.code && (
            <CodeField
              label={ways.password ? 'Or a code of your authenticator app' : 'Code of your authenticator app'}
              inputMode="numeric"
              required={false}
            />
          )}
          <SubmitButton>Confirm</SubmitButton>
        </PostForm>
      )}
      {singleSignOn && (
        <SingleSignOnLink next={next} again>
          Confirm with {singleSignOn}
        </SingleSignOnLink>
      )}
      {singleSignOn && (
        <p className="text-sm text-quiet">
          Does this page come back? Then {singleSignOn} does not tell when you signed in.{' '}
          <TextLink to="/forgot-password">Choose a password</TextLink> and confirm with it.
        </p>
      )}
    </>
  );
}
