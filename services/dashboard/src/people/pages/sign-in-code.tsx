import { Form, Link, redirect, useNavigation } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, cookieHeaders, nextOf, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-in-code';
import { CodeField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Enter a code · Shopscope' }];

export const loader = () => null;

export async function action({ request, context }: Route.ActionArgs) {
  const webRequest = webRequestOf(request, context);
  const { sessions } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const { cookies } = await sessions.verifyCode(form.text('code'), webRequest);
    throw redirect(nextOf(request), { headers: cookieHeaders(cookies) });
  });
}

export default function SignInCode({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <>
      <h1 className="text-2xl">Enter a code</h1>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={actionData?.problem} />
        <CodeField
          form={actionData}
          autoFocus
          help="The 6 digits of your authenticator app, or one of your backup codes."
        />
        <Button kind="primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </Button>
      </Form>
      <p className="text-sm">
        <Link to="/sign-in" className="link">
          Begin again
        </Link>
      </p>
    </>
  );
}
