/**
 * Open sign-up. The response does not show whether an address has an account: the page is the same, and the work that depends on the
 * account runs after the response.
 */

import { addressGroup } from '@shopscope/client-address';
import { AppError, invalidField } from '@shopscope/errors';
import { APIError } from 'better-auth/api';
import { verifyJWT } from 'better-auth/crypto';
import { parseEmail, parseName, parsePassword, parseWorkspaceName } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { runLimitedMail } from './limited-mail.ts';
import { type SignIn, signIn } from './sessions.ts';

export const isOpen = (deps: Dependencies) => deps.openSignUp;

/** Creates an account that is confirmed by a mailed link. If the address has an account already, it gets a mail about it. */
export async function signUp(
  deps: Dependencies,
  input: { name: string; email: string; password: string; workspaceName: string },
  { headers, address }: WebRequest,
): Promise<void> {
  if (!deps.openSignUp) throw new AppError('forbidden_scope', 'You need an invitation to create an account here.');
  const body = {
    name: parseName('name', input.name),
    email: parseEmail('email', input.email),
    password: parsePassword('password', input.password),
    workspaceName: parseWorkspaceName('workspaceName', input.workspaceName),
  };
  await deps.throttle.attempt([limits.signUpOfAddress, addressGroup(address)]);
  runLimitedMail(deps, 'sign-up', body.email, () =>
    deps.auth.api.signUpEmail({ body, headers }).catch((error) => {
      // A concurrent sign-up with the same address came first.
      if (!(error instanceof APIError) || error.statusCode !== 422) throw error;
    }),
  );
}

/** Sends the link again if the address has an account that is not confirmed yet. */
export async function resend(deps: Dependencies, email: string, { address }: WebRequest): Promise<void> {
  const given = parseEmail('email', email);
  await deps.throttle.attempt([limits.mailOfAddress, addressGroup(address)]);
  const isUnconfirmed = async () => (await deps.people.findByEmail(given))?.emailVerified === false;
  const send = () => deps.auth.api.sendVerificationEmail({ body: { email: given } });
  runLimitedMail(deps, 'verify', given, send, isUnconfirmed);
}

/**
 * Confirms the address and signs in. The link alone confirms nothing. Otherwise a person who never signed up could confirm an account whose
 * password a stranger chose.
 */
export async function verify(
  deps: Dependencies,
  token: string,
  password: string,
  webRequest: WebRequest,
): Promise<SignIn> {
  const email = await addressIn(token, deps.secret);
  if (email === undefined) {
    throw new AppError('not_found', 'This link has expired, or it is incomplete. Ask for a new one below.');
  }
  if (password === '') throw invalidField('password', 'Enter the password that you chose.');
  const first = await signIn(deps, { email, password }, webRequest);
  if (first.outcome === 'refused') throw invalidField('password', 'The password is wrong.');
  if (first.outcome !== 'unverified') return first;
  await deps.auth.api.verifyEmail({ query: { token } });
  return signIn(deps, { email, password }, webRequest);
}

/** The address that the link confirms; undefined if the link expired or was not signed by this service. */
async function addressIn(token: string, secret: string): Promise<string | undefined> {
  const payload = await verifyJWT<{ email?: unknown; updateTo?: unknown }>(token, secret).catch(() => null);
  return typeof payload?.email === 'string' && payload.updateTo === undefined ? payload.email : undefined;
}
