import { data, Form, redirect, useNavigation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { contextOf, cookieHeaders, field, load, localPath, submit, visitOf } from '../../server.ts';
import type { Route } from './+types/sign-in';

export const meta: Route.MetaFunction = () => [{ title: 'Sign in · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { sessions } = contextOf(context).application;
  const session = await load(context, () => sessions.current(request.headers));
  if (session) throw redirect(localPath(new URL(request.url).searchParams.get('next'), '/'));
  return null;
}

const refusals = {
  refused: 'The e-mail address or the password is wrong.',
  unverified: 'This address is not confirmed yet. We sent you a new mail with a link.',
};

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return submit(context, form, async () => {
    const email = field(form, 'email');
    const password = String(form.get('password') ?? '');
    const { outcome, cookies } = await contextOf(context).application.sessions.signIn(
      { email, password },
      visitOf(request, context),
    );
    if (outcome === 'refused' || outcome === 'unverified') {
      return data({ problem: { message: refusals[outcome], field: undefined }, values: { email } }, { status: 401 });
    }
    const next = localPath(new URL(request.url).searchParams.get('next'), '/');
    const target = outcome === 'second_factor' ? `/sign-in/code?next=${encodeURIComponent(next)}` : next;
    throw redirect(target, { headers: cookieHeaders(cookies) });
  });
}

export default function SignIn({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  const problem = actionData?.problem;
  return (
    <>
      <h1 className="text-2xl">Sign in</h1>
      <Form method="post" className="grid gap-4">
        {problem && !problem.field && <Notice kind="danger">{problem.message}</Notice>}
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          defaultValue={actionData?.values.email}
          error={problem?.field === 'email' ? problem.message : undefined}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={problem?.field === 'password' ? problem.message : undefined}
        />
        <Button kind="primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </Button>
      </Form>
    </>
  );
}
