import { redirect } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { FormNotice, PostForm, SubmitButton } from '../../app/components/form.tsx';
import { cookieHeaders, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/reset-password';
import { NewPasswordField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Choose a new password · Shopscope' }];

export function loader({ request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  if (token === '') throw redirect('/forgot-password');
  return { token };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { passwords }, webRequest) => {
    const cookies = await passwords.reset(form.text('token'), form.secret('password'), webRequest);
    throw redirect('/sign-in?notice=password-changed', { headers: cookieHeaders(cookies) });
  });

export default function ResetPassword({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const problem = actionData?.problem;
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Choose a new password</h1>
        <p className="text-quiet">This ends every session of your account. API keys stay valid.</p>
      </div>
      <FormNotice problem={problem} />
      {problem?.status === 404 ? (
        <p>
          <TextLink to="/forgot-password">Send a new link</TextLink>
        </p>
      ) : (
        <PostForm failed={actionData} hasOwnNotice>
          <input type="hidden" name="token" value={token} />
          <NewPasswordField label="New password" autoFocus />
          <SubmitButton>Change password</SubmitButton>
        </PostForm>
      )}
    </>
  );
}
