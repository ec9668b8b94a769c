import { Form, Link, useNavigation } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/forgot-password';
import { EmailField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Forgot your password · Shopscope' }];

export const loader = () => null;

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    await contextOf(context).application.passwords.forgot(form.text('email'), webRequestOf(request, context));
    return { sentTo: form.text('email') };
  });
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Check your e-mail</h1>
        <p>
          If <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong> has an account, we sent a mail
          with a link to choose a new password. It is valid for an hour.
        </p>
        <p>
          <Link to="/sign-in" className="link">
            Back to sign-in
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Forgot your password?</h1>
        <p className="text-quiet">We send you a link to choose a new one.</p>
      </div>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={actionData?.problem} />
        <EmailField form={actionData} autoFocus />
        <Button kind="primary" disabled={isBusy}>
          Send the link
        </Button>
      </Form>
      <p className="text-sm">
        <Link to="/sign-in" className="link">
          Back to sign-in
        </Link>
      </p>
    </>
  );
}
