import { data, Form, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { contextOf, cookieHeaders, load, submit, webRequestOf } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/account-address';

export const meta: Route.MetaFunction = () => [{ title: 'New e-mail address · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const email = await load(context, () => contextOf(context).application.account.pendingEmail(token, person));
  return data({ email, token, current: person.email }, { status: email === undefined ? 404 : 200 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const person = context.get(sessionContext);
  const { account } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const cookies = await account.changeAddress(form.text('token'), person, webRequestOf(request, context));
    throw redirect('/account?notice=address', { headers: cookieHeaders(cookies) });
  });
}

export default function Address({ loaderData: { email, token, current }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (email === undefined) {
    return (
      <>
        <h1 className="text-xl">This link cannot be used</h1>
        <p className="max-w-[60ch]">
          It may have expired or was used already, or it belongs to another account. You are signed in as{' '}
          <strong className="[overflow-wrap:anywhere]">{current}</strong>. Your address was not changed.
        </p>
        <p>
          <ButtonLink to="/account">Go to your account</ButtonLink>
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-xl">Use the new e-mail address?</h1>
      <FormNotice problem={actionData?.problem} />
      <p className="max-w-[60ch]">
        Your account gets the address <strong className="[overflow-wrap:anywhere]">{email}</strong> in place of{' '}
        <strong className="[overflow-wrap:anywhere]">{current}</strong>. From then on you sign in with the new address.
        Your other sessions end.
      </p>
      <Form method="post" className="flex flex-wrap gap-2">
        <input type="hidden" name="token" value={token} />
        <Button kind="primary" disabled={isBusy}>
          Use the new address
        </Button>
        <ButtonLink to="/account">Keep the old one</ButtonLink>
      </Form>
    </>
  );
}
