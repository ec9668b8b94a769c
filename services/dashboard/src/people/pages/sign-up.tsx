import { Form, Link, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, load, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-up';
import { EmailField, NameField, NewPasswordField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Create an account · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { sessions, signUp } = contextOf(context).application;
  if (await load(context, () => sessions.current(request.headers))) throw redirect('/workspaces');
  return { isOpen: signUp.isOpen() };
}

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    await contextOf(context).application.signUp.signUp(
      {
        name: form.text('name'),
        email: form.text('email'),
        password: form.secret('password'),
        workspaceName: form.text('workspaceName'),
      },
      webRequestOf(request, context),
    );
    return { sentTo: form.text('email') };
  });
}

export default function SignUp({ loaderData: { isOpen }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (!isOpen) {
    return (
      <>
        <h1 className="text-2xl">You need an invitation</h1>
        <p>
          Accounts are created by invitation. Ask an admin of your workspace to invite you. The mail has a link to the
          invitation.
        </p>
        <p>
          <ButtonLink to="/sign-in">Go to sign-in</ButtonLink>
        </p>
      </>
    );
  }
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Check your e-mail</h1>
        <p>
          We sent a mail to <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong>. Open its link
          within an hour to confirm the address.
        </p>
        <p className="text-sm text-quiet">
          No mail after some minutes? Look into the spam folder, or{' '}
          <Link to="/verify" className="link">
            ask for another one
          </Link>
          .
        </p>
      </>
    );
  }
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Create an account</h1>
        <p className="text-quiet">Includes a workspace on the free plan.</p>
      </div>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={actionData?.problem} />
        <NameField form={actionData} autoFocus />
        <EmailField form={actionData} />
        <NewPasswordField form={actionData} />
        <TextField
          form={actionData}
          label="Workspace"
          name="workspaceName"
          autoComplete="organization"
          required
          maxLength={200}
          help="For example the name of your company. You can change it later."
        />
        <Button kind="primary" disabled={isBusy}>
          {isBusy ? 'Creating your account …' : 'Create account'}
        </Button>
      </Form>
      <p className="text-sm">
        Already have an account?{' '}
        <Link to="/sign-in" className="link">
          Sign in
        </Link>
      </p>
    </>
  );
}
