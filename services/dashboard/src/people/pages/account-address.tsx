import { data, redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { cookieHeaders, load, sessionContext, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/account-address';

export const meta: Route.MetaFunction = () => [{ title: 'New e-mail address · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const email = await load(context, ({ account }) => account.pendingEmail(token, person));
  return data({ email, token, current: person.email }, { status: email === undefined ? 404 : 200 });
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { account }, webRequest) => {
    const person = args.context.get(sessionContext);
    const cookies = await account.changeAddress(form.text('token'), person, webRequest);
    throw redirect('/account?notice=address', { headers: cookieHeaders(cookies) });
  });

export default function Address({ loaderData: { email, token, current }, actionData }: Route.ComponentProps) {
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
      <p className="max-w-[60ch]">
        Your account gets the address <strong className="[overflow-wrap:anywhere]">{email}</strong> in place of{' '}
        <strong className="[overflow-wrap:anywhere]">{current}</strong>. From then on you sign in with the new address.
        Your other sessions end.
      </p>
      <PostForm failed={actionData}>
        <input type="hidden" name="token" value={token} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton>Use the new address</SubmitButton>
          <ButtonLink to="/account">Keep the old one</ButtonLink>
        </div>
      </PostForm>
    </>
  );
}
