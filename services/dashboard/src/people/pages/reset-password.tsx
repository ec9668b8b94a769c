import { Form, Link, redirect, useNavigation } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, cookieHeaders, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/reset-password';
import { NewPasswordField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Choose a new password · Shopscope' }];

export function loader({ request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  if (token === '') throw redirect('/forgot-password');
  return { token };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { passwords } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const password = form.secret('password');
    const cookies = await passwords.reset(form.text('token'), password, webRequestOf(request, context));
    throw redirect('/sign-in?notice=password-changed', { headers: cookieHeaders(cookies) });
  });
}

export default function ResetPassword({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  const problem = actionData?.problem;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Choose a new password</h1>
        <p className="text-quiet">This ends every session of your account. API keys stay valid.</p>
      </div>
      <FormNotice problem={problem} />
      {problem?.status === 404 ? (
        <p>
          <Link to="/forgot-password" className="link">
            Send a new link
          </Link>
        </p>
      ) : (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="token" value={token} />
          <NewPasswordField form={actionData} label="New password" autoFocus />
          <Button kind="primary" disabled={isBusy}>
            Change password
          </Button>
        </Form>
      )}
    </>
  );
}
