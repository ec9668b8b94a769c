import { Form, redirect, useNavigation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, FormNotice } from '../../components/form-problem.tsx';
import { Notice } from '../../components/notice.tsx';
import { contextOf, cookieHeaders, field, submit, visitOf } from '../../server.ts';
import type { Route } from './+types/verify';

export const meta: Route.MetaFunction = () => [{ title: 'Confirm your address · Shopscope' }];

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const visit = visitOf(request, context);
  const { signUp, freeWorkspaces } = contextOf(context).application;
  return submit(context, form, async () => {
    if (field(form, 'intent') === 'resend') {
      await signUp.resend(field(form, 'email'), visit);
      return { sentTo: field(form, 'email') };
    }
    const result = await signUp.verify(field(form, 'token'), String(form.get('password') ?? ''), visit);
    if (result.outcome === 'signed_in') await freeWorkspaces.createAtFirstSignIn(result.userId, visit);
    const target = { signed_in: '/', second_factor: '/sign-in/code', refused: '/sign-in', unverified: '/sign-in' };
    throw redirect(target[result.outcome], { headers: cookieHeaders(result.cookies) });
  });
}

export default function Verify({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  const problem = actionData && 'problem' in actionData ? actionData.problem : undefined;
  const isExpired = problem?.status === 404;
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Look at your mail</h1>
        <Notice kind="ok">
          If <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong> waits to be confirmed, we sent a
          mail with a new link.
        </Notice>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl">Confirm your address</h1>
      <FormNotice problem={problem} />
      {token !== '' && !isExpired && (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="token" value={token} />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            help="The password that you chose for the account."
            error={errorOf(problem, 'password')}
          />
          <Button kind="primary" disabled={isBusy}>
            Confirm and sign in
          </Button>
        </Form>
      )}
      {(token === '' || isExpired) && (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="intent" value="resend" />
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            required
            help="We send a new link when this address waits to be confirmed."
            error={errorOf(problem, 'email')}
          />
          <Button kind="primary" disabled={isBusy}>
            Send a new link
          </Button>
        </Form>
      )}
    </>
  );
}
