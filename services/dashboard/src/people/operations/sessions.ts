/** Sign-in, sign-out and the sessions of a person. `cookies` are Set-Cookie values. */

import { addressGroup } from '@shopscope/client-address';
import { AppError, invalidField } from '@shopscope/errors';
import { originFields } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { SignedIn, WebRequest } from '../../app/operations/visit.ts';
import type { Count } from '../../app/outbound/throttle.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { describeDevice } from '../domain/describe-device.ts';
import { accountKey, knownDevice, rememberDevice } from '../domain/device-cookie.ts';
import { singleSignOnProvider } from '../outbound/auth.ts';
import { type AuthProblems, callAuth, codeProblems, passwordProblems } from './auth-problem.ts';
import { renewSession } from './renew-session.ts';

export type SignIn =
  | { outcome: 'signed_in'; cookies: string[]; userId: string }
  | { outcome: 'second_factor'; cookies: string[] }
  | { outcome: 'refused' | 'unverified'; cookies: [] };

export type Confirmation = { password: string } | { code: string };

/** The session of a request. The returned cookies extend the session; usually there are none. */
export const open = async (deps: Dependencies, headers: Headers) => {
  const { response: found, headers: set } = await callAuth(() =>
    deps.auth.api.getSession({ headers, returnHeaders: true }),
  );
  if (!found) return undefined;
  const { user, session } = found;
  deps.visitors.opened(session.token, user.id);
  deps.background.run(deps.sessions.touch(session.id, deps.clock.now()));
  return {
    session: {
      userId: user.id,
      email: user.email,
      name: user.name,
      sessionId: session.id,
      signedInAt: new Date(session.authenticatedAt ?? session.createdAt),
      twoFactorEnabled: user.twoFactorEnabled === true,
    },
    cookies: set.getSetCookie(),
  };
};

/** The narrowest count is the first. */
const signInCounts = (deps: Dependencies, email: string, { headers, address }: WebRequest): Count[] => {
  const account = accountKey(email);
  const device = knownDevice(deps.secret, headers.get('cookie'), account);
  if (device) return [[limits.signInOfDevice, `${device}.${account}`]];
  const group = addressGroup(address);
  return [
    [limits.signInOfAccountAndAddress, `${account}.${group}`],
    [limits.signInOfAddress, group],
    [limits.signInOfAccount, account],
  ];
};

/** The headers without the session cookie. With a session, a code would confirm the second factor of that session. */
const withoutSession = async (deps: Dependencies, headers: Headers): Promise<Headers> => {
  const { name } = (await deps.auth.$context).authCookies.sessionToken;
  const cookies = (headers.get('cookie') ?? '').split(';').filter((pair) => !pair.trim().startsWith(`${name}=`));
  const result = new Headers(headers);
  result.set('cookie', cookies.join(';'));
  return result;
};

const confirmationOf = (
  deps: Dependencies,
  person: SignedIn,
  given: Confirmation,
  headers: Headers,
): (() => Promise<unknown>) => {
  if ('password' in given) {
    const { password } = given;
    if (password === '') throw invalidField('password', 'Enter your password.');
    return () =>
      callAuth(() => deps.auth.api.verifyPassword({ body: { password }, headers }), passwordProblems('password'));
  }
  const code = given.code.replace(/\s/g, '');
  // Without a second factor, better-auth would accept a code of an unfinished set-up.
  if (!person.twoFactorEnabled) throw invalidField('code', 'Two-step sign-in is not on. Enter your password.');
  if (!/^\d{6}$/.test(code)) throw invalidField('code', 'Enter the 6 digits of your authenticator app.');
  return () => callAuth(() => deps.auth.api.verifyTOTP({ body: { code }, headers }), codeProblems);
};

export async function current(deps: Dependencies, headers: Headers): Promise<SignedIn | undefined> {
  return (await open(deps, headers))?.session;
}

/** The response is the same, and takes a similar time, for a wrong password and for an address without an account. */
export async function signIn(
  deps: Dependencies,
  input: { email: string; password: string },
  webRequest: WebRequest,
): Promise<SignIn> {
  if (input.email === '') throw invalidField('email', 'Enter your e-mail address.');
  if (input.password === '') throw invalidField('password', 'Enter your password.');
  const { headers, address, origin } = webRequest;
  const attempt = async (): Promise<SignIn> => {
    const signIn = () => deps.auth.api.signInEmail({ body: input, headers, returnHeaders: true });
    const { headers: set, response } = await callAuth(signIn, signInProblems);
    const cookies = set.getSetCookie();
    if ('twoFactorRedirect' in response) return { outcome: 'second_factor', cookies };
    cookies.push(rememberDevice(deps.secret, headers.get('cookie'), accountKey(input.email)));
    return { outcome: 'signed_in', cookies, userId: response.user.id };
  };
  try {
    return await deps.throttle.guard(signInCounts(deps, input.email, webRequest), async () => {
      try {
        return await attempt();
      } catch (error) {
        // The password is correct.
        if (outcomeOf(error) === 'unverified') return { outcome: 'unverified', cookies: [] };
        throw error;
      }
    });
  } catch (error) {
    if (outcomeOf(error) !== 'refused') throw error;
    deps.logger.info({ ...originFields(origin), address }, 'a sign-in was refused');
    return { outcome: 'refused', cookies: [] };
  }
}

/** Second step of a sign-in: verifies a code of the authenticator app, or a backup code. Each code is accepted once. */
export async function verifyCode(deps: Dependencies, code: string, webRequest: WebRequest) {
  const headers = await withoutSession(deps, webRequest.headers);
  const text = code.replace(/\s/g, '');
  if (text === '') throw invalidField('code', 'Enter a code.');
  const options = { body: { code: text }, headers, returnHeaders: true } as const;
  const verify = async () =>
    /^\d{6}$/.test(text) ? await deps.auth.api.verifyTOTP(options) : await deps.auth.api.verifyBackupCode(options);
  const counts: Count[] = [[limits.codeOfAddress, addressGroup(webRequest.address)]];
  const { headers: set, response } = await deps.throttle.guard(counts, () => callAuth(verify, codeProblems));
  // The verification did not see the cookie of a session that the browser got after the first step.
  await callAuth(() => deps.auth.api.endSession({ headers: webRequest.headers }));
  const { id, email } = response.user as { id: string; email: string };
  const device = rememberDevice(deps.secret, headers.get('cookie'), accountKey(email));
  return { cookies: [...set.getSetCookie(), device], userId: id };
}

/** Confirms the session. The session gets a new token, and its sign-in counts as now. */
export async function confirm(deps: Dependencies, person: SignedIn, given: Confirmation, webRequest: WebRequest) {
  const { headers } = webRequest;
  const check = confirmationOf(deps, person, given, headers);
  await deps.throttle.guard([[limits.confirmationOfPerson, person.userId]], check);
  return renewSession(deps.auth, headers, { isConfirmed: true });
}

/** Gives the session a new token after a change of the person's own rights. */
export const renew = (deps: Dependencies, headers: Headers) => renewSession(deps.auth, headers);

/** The ways in which the person can confirm a session. */
export async function confirmations(deps: Dependencies, userId: string) {
  const [person, providers] = await Promise.all([deps.people.findById(userId), deps.people.providersOf(userId)]);
  return {
    password: providers.includes('credential'),
    code: person?.twoFactorEnabled === true,
    singleSignOn: providers.includes(singleSignOnProvider),
  };
}

/** The sessions of the person, the last used first. */
export async function list(deps: Dependencies, { userId, sessionId }: SignedIn) {
  const rows = await deps.sessions.list(userId, new Date(deps.clock.now()));
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    /** For example "Firefox on Windows". */
    device: describeDevice(userAgent),
    /** The network address at the sign-in. */
    address,
    signedInAtMs: createdAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    isCurrent: id === sessionId,
  }));
}

export const end = (deps: Dependencies, userId: string, sessionId: string) => deps.sessions.end(userId, sessionId);

export const endOthers = (deps: Dependencies, { userId, sessionId }: SignedIn) =>
  deps.sessions.endAll(userId, { except: sessionId });

export async function signOut(deps: Dependencies, headers: Headers): Promise<string[]> {
  const { headers: set } = await deps.auth.api.signOut({ headers, returnHeaders: true });
  return set.getSetCookie();
}

const refused = () => new AppError('unauthorized', 'The e-mail address or the password is wrong.');

const signInProblems: AuthProblems = {
  INVALID_EMAIL: refused,
  INVALID_EMAIL_OR_PASSWORD: refused,
  VALIDATION_ERROR: refused,
  PASSWORD_TOO_LONG: refused,
  EMAIL_NOT_VERIFIED: () => new AppError('forbidden_scope', 'This address is not confirmed yet.'),
};

/** The outcome that the page shows of a failed sign-in; undefined for every other failure. */
function outcomeOf(error: unknown): 'refused' | 'unverified' | undefined {
  if (!(error instanceof AppError)) return undefined;
  return error.code === 'unauthorized' ? 'refused' : error.code === 'forbidden_scope' ? 'unverified' : undefined;
}
