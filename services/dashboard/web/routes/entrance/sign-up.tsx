import { Form, Link, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, FormNotice } from '../../components/form-problem.tsx';
import { contextOf, field, load, submit, visitOf } from '../../server.ts';
import type { Route } from './+types/sign-up';

export const meta: Route.MetaFunction = () => [{ title: 'Create an account · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { sessions, signUp } = contextOf(context).application;
  if (await load(context, () => sessions.current(request.headers))) throw redirect('/');
  return { isOpen: signUp.isOpen };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return submit(context, form, async () => {
    await contextOf(context).application.signUp.signUp(
      {
        name: field(form, 'name'),
        email: field(form, 'email'),
        password: String(form.get('password') ?? ''),
        workspaceName: field(form, 'workspaceName'),
      },
      visitOf(request, context),
    );
    return { sentTo: field(form, 'email') };
  });
}

export default function SignUp({ loaderData: { isOpen }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (!isOpen) {
    return (
      <>
        <h1 className="text-2xl">You need an invitation</h1>
        <p>
          Accounts are created by invitation. Ask an admin of your workspace to invite you; the mail has a link that
          leads here.
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
        <h1 className="text-2xl">Look at your mail</h1>
        <p>
          We sent a mail to <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong>. Open its link
          within an hour to confirm the address.
        </p>
        <p className="text-sm text-quiet">
          No mail after some minutes? Look into the spam folder, or{' '}
          <Link to="/verify" className="text-accent hover:underline">
            ask for another one
          </Link>
          .
        </p>
      </>
    );
  }
  const problem = actionData?.problem;
  const values = actionData?.values;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Create an account</h1>
        <p className="text-quiet">With a workspace on the plan free.</p>
      </div>
      <Form method="post" className="grid gap-4">
        <FormNotice problem={problem} />
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          autoFocus
          defaultValue={values?.name}
          error={errorOf(problem, 'name')}
        />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={values?.email}
          error={errorOf(problem, 'email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          help="At least 12 characters."
          error={errorOf(problem, 'password')}
        />
        <TextField
          label="Workspace"
          name="workspaceName"
          autoComplete="organization"
          required
          maxLength={200}
          help="For example the name of your company. You can change it later."
          defaultValue={values?.workspaceName}
          error={errorOf(problem, 'workspaceName')}
        />
        <Button kind="primary" disabled={isBusy}>
          {isBusy ? 'Creating your account …' : 'Create account'}
        </Button>
      </Form>
      <p className="text-sm">
        You have an account?{' '}
        <Link to="/sign-in" className="text-accent hover:underline">
          Sign in
        </Link>
      </p>
    </>
  );
}
