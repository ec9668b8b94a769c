import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { submit } from '../../app/pages/server.ts';
import type { Route } from './+types/forgot-password';
import { EmailField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Forgot your password · Shopscope' }];

export const loader = () => null;

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { passwords }, webRequest) => {
    await passwords.forgot(form.text('email'), webRequest);
    return { sentTo: form.text('email') };
  });

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  if (actionData && 'sentTo' in actionData) {
    return (
      <>
        <h1 className="text-2xl">Check your e-mail</h1>
        <p>
          If <strong className="[overflow-wrap:anywhere]">{actionData.sentTo}</strong> has an account, we sent a mail
          with a link to choose a new password. It is valid for an hour.
        </p>
        <p>
          <TextLink to="/sign-in">Back to sign-in</TextLink>
        </p>
      </>
    );
  }
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-2xl">Forgot your password?</h1>
        <p className="text-quiet">We send you a link to choose a new one.</p>
      </div>
      <PostForm failed={actionData}>
        <EmailField autoFocus />
        <SubmitButton>Send the link</SubmitButton>
      </PostForm>
      <p className="text-sm">
        <TextLink to="/sign-in">Back to sign-in</TextLink>
      </p>
    </>
  );
}
