import { redirect } from 'react-router';
import { FormNotice, PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Notice } from '../../app/components/page.tsx';
import { cookieHeaders, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/verify';
import { CurrentPasswordField, EmailField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm your address · Shopscope' }];

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
});

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { signUp, freeWorkspaces }, webRequest) => {
    if (form.text('intent') === 'resend') {
      await signUp.resend(form.text('email'), webRequest);
      return { sentTo: form.text('email') };
    }
    const result = await signUp.verify(form.text('token'), form.secret('password'), webRequest);
    if (result.outcome === 'signed_in') await freeWorkspaces.createAtFirstSignIn(result.userId, webRequest);
    const target = {
      signed_in: '/workspaces',
      second_factor: '/sign-in/code',
      refused: '/sign-in',
      unverified: '/sign-in',
    };
    throw redirect(target[result.outcome], { headers: cookieHeaders(result.cookies) });
  });

export default function Verify({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const isExpired = failed?.problem.status === 404;
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Check your e-mail</h1>
        <Notice kind="ok">
          If <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong> is not confirmed yet, we sent a
          new link.
        </Notice>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl">Confirm your address</h1>
      <FormNotice problem={failed?.problem} />
      {token !== '' && !isExpired && (
        <PostForm failed={failed} hasOwnNotice>
          <input type="hidden" name="token" value={token} />
          <CurrentPasswordField autoFocus help="The password that you chose for the account." />
          <SubmitButton>Confirm and sign in</SubmitButton>
        </PostForm>
      )}
      {(token === '' || isExpired) && (
        <PostForm intent="resend" failed={failed} hasOwnNotice>
          <EmailField help="We send a new link if this address is not confirmed yet." />
          <SubmitButton>Send a new link</SubmitButton>
        </PostForm>
      )}
    </>
  );
}
