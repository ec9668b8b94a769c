import { isolated } from '@shopscope/text';
import { data, redirect } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { FormNotice, PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Notice } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, cookieHeaders, load, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/invitation';
import { EmailField, NameField, NewPasswordField } from './fields.tsx';
import { OrDivider, SingleSignOnLink } from './single-sign-on-button.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Invitation · Shopscope' }];

export const loader = ({ params, request, context }: Route.LoaderArgs) =>
  load(context, async ({ invitations, sessions, singleSignOn }) => {
    const session = await sessions.current(request.headers);
    const invitation = await invitations.show(params.token).catch((error) => {
      if (contextOf(context).toProblem(error).status === 404) return undefined;
      throw error;
    });
    const shown = { signedInAs: session?.email, invitation, singleSignOn: singleSignOn?.name };
    return data(shown, { status: invitation ? 200 : 404 });
  });

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { invitations, sessions }, webRequest) => {
    const { params } = args;
    const intent = form.text('intent');
    if (intent === 'sign-up') {
      const input = { name: form.text('name'), password: form.secret('password') };
      const { workspaceId, cookies } = await invitations.signUp(params.token, input, webRequest);
      // If the new account could not join, the page of the invitation shows the next step.
      const target = workspaceId === undefined ? `/invitations/${params.token}` : `/workspaces/${workspaceId}`;
      throw redirect(target, { headers: cookieHeaders(cookies) });
    }
    const session = await sessions.current(webRequest.headers);
    if (!session) throw redirect(`/sign-in?next=${encodeURIComponent(`/invitations/${params.token}`)}`);
    if (intent === 'decline') {
      await invitations.decline(params.token, session);
      throw redirect('/workspaces');
    }
    if (intent !== 'accept') throw data({}, { status: 404 });
    const { workspaceId, cookies } = await invitations.accept(params.token, session, webRequest);
    throw redirect(`/workspaces/${workspaceId}`, { headers: cookieHeaders(cookies) });
  });

export default function Invitation({ loaderData, actionData, params }: Route.ComponentProps) {
  const { invitation, signedInAs, singleSignOn } = loaderData;
  if (!invitation) {
    return (
      <>
        <h1 className="text-2xl">This invitation cannot be used</h1>
        <p>It may have expired, or it was withdrawn or used already. Ask the person who invited you for a new one.</p>
        {signedInAs && (
          <p>
            You have an account and are signed in as <strong className="[overflow-wrap:anywhere]">{signedInAs}</strong>.
          </p>
        )}
        <p>
          <ButtonLink to="/workspaces">Go to Shopscope</ButtonLink>
        </p>
      </>
    );
  }
  const { workspaceName, role, email, expiresAtMs, hasAccount } = invitation;
  const next = `/invitations/${params.token}`;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl [overflow-wrap:anywhere]">{`Join ${isolated(workspaceName)}`}</h1>
        <p>
          <span className="[overflow-wrap:anywhere]">{email}</span> is invited as{' '}
          {role === 'admin' ? 'an admin' : 'a member'}.{' '}
          <span className="text-quiet">
            {role === 'admin'
              ? 'Admins manage API keys and members.'
              : 'Members see API keys and usage; admins change them.'}
          </span>
        </p>
        <p className="text-sm text-quiet">
          The invitation expires <Time ms={expiresAtMs} />.
        </p>
      </div>
      <FormNotice problem={actionData?.problem} />
      {signedInAs === email ? (
        <>
          <p>You have an account and are signed in. You have not joined yet.</p>
          <Answer />
        </>
      ) : signedInAs ? (
        <OtherAccount signedInAs={signedInAs} email={email} />
      ) : hasAccount ? (
        <div className="grid gap-3">
          <p>This address has an account. Sign in to accept or decline.</p>
          <ButtonLink to={`/sign-in?next=${encodeURIComponent(next)}`} kind="primary">
            Sign in
          </ButtonLink>
        </div>
      ) : (
        <>
          {singleSignOn && (
            <>
              <SingleSignOnLink next={next}>Continue with {singleSignOn}</SingleSignOnLink>
              <OrDivider>or choose a password</OrDivider>
            </>
          )}
          <SignUp email={email} actionData={actionData} />
        </>
      )}
    </>
  );
}

function Answer() {
  return (
    <PostForm className="flex flex-wrap gap-2">
      <SubmitButton name="intent" value="accept">
        Accept and join
      </SubmitButton>
      <SubmitButton kind="secondary" name="intent" value="decline">
        Decline
      </SubmitButton>
    </PostForm>
  );
}

function OtherAccount({ signedInAs, email }: { signedInAs: string; email: string }) {
  return (
    <div className="grid gap-3">
      <Notice kind="warning">
        You are signed in as <strong className="[overflow-wrap:anywhere]">{signedInAs}</strong>. The invitation is for{' '}
        <strong className="[overflow-wrap:anywhere]">{email}</strong>. Sign out, then open the link of the mail again.
      </Notice>
      <PostForm action="/sign-out" className="">
        <Button>Sign out</Button>
      </PostForm>
    </div>
  );
}

function SignUp({ email, actionData }: { email: string; actionData: Route.ComponentProps['actionData'] }) {
  return (
    <PostForm intent="sign-up" failed={actionData} hasOwnNotice>
      <EmailField value={email} readOnly />
      <NameField />
      <NewPasswordField />
      <SubmitButton busy="Creating your account …">Create account and join</SubmitButton>
    </PostForm>
  );
}
