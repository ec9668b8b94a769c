import { Form, Link, redirect, useNavigation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, FormNotice } from '../../components/form-problem.tsx';
import { contextOf, cookieHeaders, field, localPath, submit, visitOf } from '../../server.ts';
import type { Route } from './+types/sign-in-code';

export const meta: Route.MetaFunction = () => [{ title: 'Enter a code · Shopscope' }];

export const loader = () => null;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const visit = visitOf(request, context);
  const { sessions } = contextOf(context).application;
  return submit(context, form, async () => {
    const { cookies } = await sessions.verifyCode(field(form, 'code'), visit);
    const next = localPath(new URL(request.url).searchParams.get('next'), '/');
    throw redirect(next, { headers: cookieHeaders(cookies) });
  });
}

export default function SignInCode({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  const problem = actionData?.problem;
  return (
    <>
      <h1 className="text-2xl">Enter a code</h1>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={problem} />
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          required
          autoFocus
          className="font-mono"
          help="The 6 digits of your authenticator app, or one of your backup codes."
          error={errorOf(problem, 'code')}
        />
        <Button kind="primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </Button>
      </Form>
      <p className="text-sm">
        <Link to="/sign-in" className="text-accent hover:underline">
          Begin again
        </Link>
      </p>
    </>
  );
}
