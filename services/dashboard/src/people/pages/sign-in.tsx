import { data, redirect } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Notice } from '../../app/components/page.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import { contextOf, cookieHeaders, load, nextOf, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/sign-in';
import { CurrentPasswordField, EmailField } from './fields.tsx';
import { OrDivider, SingleSignOnLink } from './single-sign-on-button.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Sign in · Shopscope' }];

const notices: Record<string, string> = {
  'password-changed':
    'Your password is changed, and every session was ended. API keys stay valid. Sign in with the new password.',
  'account-deleted': 'Your account was deleted.',
};

/** Messages for error codes of single sign-on. All other errors share one message. */
const singleSignOnRefusals: Record<string, string> = {
  address_not_verified: 'Your sign-in provider does not confirm your e-mail address, so it cannot be used here.',
  not_invited: 'You need an invitation to create an account here. Ask an admin of your workspace.',
  account_not_linked: 'Your address has an account that is not confirmed yet. Sign in with your password first.',
  access_denied: 'The sign-in was cancelled.',
};
const singleSignOnFailed = 'The sign-in with your provider failed.';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { sessions, signUp, singleSignOn } = contextOf(context).application;
  const query = new URL(request.url).searchParams;
  const next = nextOf(request);
  const error = query.get('error');
  const session = await load(context, () => sessions.current(request.headers));
  if (session) throw redirect(next);
  return {
    next,
    isSignUpOpen: signUp.isOpen(),
    singleSignOn: singleSignOn?.name,
    notice: ownValue(notices, query.get('notice') ?? ''),
    refusal: error === null ? undefined : (ownValue(singleSignOnRefusals, error) ?? singleSignOnFailed),
  };
}

const refusals = {
  refused: 'The e-mail address or the password is wrong.',
  unverified: 'This address is not confirmed yet. We sent you a new mail with a link.',
};

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { sessions, signUp, freeWorkspaces }, webRequest) => {
    const email = form.text('email');
    const result = await sessions.signIn({ email, password: form.secret('password') }, webRequest);
    const { outcome, cookies } = result;
    if (outcome === 'unverified') await signUp.resend(email, webRequest);
    if (outcome === 'refused' || outcome === 'unverified') {
      return data({ problem: { message: refusals[outcome], field: undefined }, values: { email } }, { status: 401 });
    }
    if (outcome === 'signed_in') await freeWorkspaces.createAtFirstSignIn(result.userId, webRequest);
    const next = nextOf(args.request);
    const target = outcome === 'second_factor' ? `/sign-in/code?next=${encodeURIComponent(next)}` : next;
    throw redirect(target, { headers: cookieHeaders(cookies) });
  });

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { next, isSignUpOpen, singleSignOn, notice, refusal } = loaderData;
  const problem = actionData?.problem;
  return (
    <>
      <h1 className="text-2xl">Sign in</h1>
      {notice && !problem && <Notice kind="ok">{notice}</Notice>}
      {refusal && !problem && <Notice kind="danger">{refusal}</Notice>}
      {singleSignOn && (
        <>
          <SingleSignOnLink next={next}>Sign in with {singleSignOn}</SingleSignOnLink>
          <OrDivider>or with a password</OrDivider>
        </>
      )}
      <PostForm failed={actionData}>
        <EmailField autoFocus />
        <CurrentPasswordField />
        <SubmitButton busy="Signing in …">Sign in</SubmitButton>
      </PostForm>
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        <TextLink to="/forgot-password">Forgot your password?</TextLink>
        {isSignUpOpen && <TextLink to="/sign-up">Create an account</TextLink>}
      </p>
    </>
  );
}
