import { Form, redirect, useNavigation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, FormNotice } from '../../components/form-problem.tsx';
import { contextOf, cookieHeaders, field, load, localPath, submit, webRequestOf } from '../../server.ts';
import { requireSession, sessionContext } from '../../session.ts';
import type { Route } from './+types/confirm';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm that it is you · Shopscope' }];

export const middleware: Route.MiddlewareFunction[] = [requireSession];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId, email } = context.get(sessionContext);
  const { sessions, singleSignOn } = contextOf(context).application;
  const ways = await load(context, () => sessions.confirmations(userId));
  const next = localPath(new URL(request.url).searchParams.get('next'), '/');
  return { email, next, ways, singleSignOn: ways.singleSignOn ? singleSignOn?.name : undefined };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const person = context.get(sessionContext);
  const { sessions } = contextOf(context).application;
  return submit(context, form, async () => {
    const code = field(form, 'code');
    const given = code === '' ? { password: String(form.get('password') ?? '') } : { code };
    const cookies = await sessions.confirm(person, given, webRequestOf(request, context));
    const next = localPath(new URL(request.url).searchParams.get('next'), '/');
    throw redirect(next, { headers: cookieHeaders(cookies) });
  });
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { email, next, ways, singleSignOn } = loaderData;
  const isBusy = useNavigation().state !== 'idle';
  const problem = actionData?.problem;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Confirm that it is you</h1>
        <p className="text-quiet">
          You are signed in as <span className="[overflow-wrap:anywhere]">{email}</span>. The change that you asked for
          needs a confirmation of the last 15 minutes. Nothing was changed yet.
        </p>
      </div>
      {(ways.password || ways.code) && (
        <Form method="post" className="grid gap-4">
          <FormNotice problem={problem} />
          <input type="hidden" autoComplete="username" value={email} readOnly />
          {ways.password && (
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus
              required={!ways.code}
              error={errorOf(problem, 'password')}
            />
          )}
          {ways.code && (
            <TextField
              label={ways.password ? 'Or a code of your authenticator app' : 'Code of your authenticator app'}
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              className="font-mono"
              error={errorOf(problem, 'code')}
            />
          )}
          <Button kind="primary" disabled={isBusy}>
            Confirm
          </Button>
        </Form>
      )}
      {singleSignOn && (
        <a
          href={`/sign-in/single-sign-on?again=1&next=${encodeURIComponent(next)}`}
          className="inline-flex h-10 items-center justify-center rounded border border-control bg-raised px-3 font-medium hover:bg-sunken md:h-8"
        >
          Confirm with {singleSignOn}
        </a>
      )}
      {singleSignOn && !ways.password && (
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
