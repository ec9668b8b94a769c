import { Form, redirect, useNavigation } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { Notice } from '../../app/components/notice.tsx';
import { contextOf, cookieHeaders, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/verify';
import { CurrentPasswordField, EmailField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm your address · Shopscope' }];

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
});

export async function action({ request, context }: Route.ActionArgs) {
  const webRequest = webRequestOf(request, context);
  const { signUp, freeWorkspaces } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
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
}

export default function Verify({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
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
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="token" value={token} />
          <CurrentPasswordField form={failed} autoFocus help="The password that you chose for the account." />
          <Button kind="primary" disabled={isBusy}>
            Confirm and sign in
          </Button>
        </Form>
      )}
      {(token === '' || isExpired) && (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="intent" value="resend" />
          <EmailField form={failed} help="We send a new link if this address is not confirmed yet." />
          <Button kind="primary" disabled={isBusy}>
            Send a new link
          </Button>
        </Form>
      )}
    </>
  );
}
