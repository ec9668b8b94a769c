import { redirect } from 'react-router';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { contextOf, load, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-up';
import { EmailField, NameField, NewPasswordField, NewWorkspaceField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Create an account · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { sessions, signUp } = contextOf(context).application;
  if (await load(context, () => sessions.current(request.headers))) throw redirect('/workspaces');
  return { isOpen: signUp.isOpen() };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { signUp }, webRequest) => {
    const email = form.text('email');
    const password = form.secret('password');
    const workspaceName = form.text('workspaceName');
    await signUp.signUp({ name: form.text('name'), email, password, workspaceName }, webRequest);
    return { sentTo: email };
  });

export default function SignUp({ loaderData: { isOpen }, actionData }: Route.ComponentProps) {
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
          <TextLink to="/verify">ask for another one</TextLink>.
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
      <PostForm failed={actionData}>
        <NameField autoFocus />
        <EmailField />
        <NewPasswordField />
        <NewWorkspaceField label="Workspace" name="workspaceName" />
        <SubmitButton busy="Creating your account …">Create account</SubmitButton>
      </PostForm>
      <p className="text-sm">
        Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
      </p>
    </>
  );
}
