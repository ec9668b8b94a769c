import { Form, Link, useNavigation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, FormNotice } from '../../components/form-problem.tsx';
import { contextOf, field, submit, visitOf } from '../../server.ts';
import type { Route } from './+types/forgot-password';

export const meta: Route.MetaFunction = () => [{ title: 'Forgot your password · Shopscope' }];

export const loader = () => null;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return submit(context, form, async () => {
    await contextOf(context).application.passwords.forgot(field(form, 'email'), visitOf(request, context));
    return { sentTo: field(form, 'email') };
  });
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Look at your mail</h1>
        <p>
          If <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong> has an account, we sent a mail
          with a link to choose a new password. It is valid for an hour.
        </p>
        <p>
          <Link to="/sign-in" className="text-accent hover:underline">
            Back to sign-in
          </Link>
        </p>
      </>
    );
  }
  const problem = actionData?.problem;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Forgot your password?</h1>
        <p className="text-quiet">We send you a link to choose a new one.</p>
      </div>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={problem} />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          defaultValue={actionData?.values.email}
          error={errorOf(problem, 'email')}
        />
        <Button kind="primary" disabled={isBusy}>
          Send the link
        </Button>
      </Form>
      <p className="text-sm">
        <Link to="/sign-in" className="text-accent hover:underline">
          Back to sign-in
        </Link>
      </p>
    </>
  );
}
