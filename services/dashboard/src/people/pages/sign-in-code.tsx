import { redirect } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { cookieHeaders, nextOf, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-in-code';
import { CodeField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Enter a code · Shopscope' }];

export const loader = () => null;

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { sessions }, webRequest) => {
    const { cookies } = await sessions.verifyCode(form.text('code'), webRequest);
    throw redirect(nextOf(args.request), { headers: cookieHeaders(cookies) });
  });

export default function SignInCode({ actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-2xl">Enter a code</h1>
      <PostForm failed={actionData}>
        <CodeField autoFocus help="The 6 digits of your authenticator app, or one of your backup codes." />
        <SubmitButton busy="Signing in …">Sign in</SubmitButton>
      </PostForm>
      <p className="text-sm">
        <TextLink to="/sign-in">Begin again</TextLink>
      </p>
    </>
  );
}
