import { addressGroup } from '@shopscope/client-address';
import type { Clock } from '@shopscope/clock';
import { AppError, invalidField } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Background } from '../../app/operations/background.ts';
import type { WebRequest } from '../../app/operations/web-request.ts';
import type { KnownVisitors } from '../../app/outbound/known-visitors.ts';
import type { Count, Throttle } from '../../app/outbound/throttle.ts';
import { deviceWords } from '../domain/describe-device.ts';
import { accountKey, knownDevice, rememberDevice } from '../domain/device-cookie.ts';
import { type Auth, singleSignOnProvider } from '../outbound/auth.ts';
import type { PeopleStore } from '../outbound/people.ts';
import type { SessionStore } from '../outbound/sessions.ts';
import { type AuthProblems, callAuth, codeProblems, passwordProblems } from './auth-problem.ts';
import { renewSession } from './renew-session.ts';

/** A signed-in person and the session of the request. */
export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
  /**
   * Time of the sign-in or of the latest confirmation. Sensitive changes need a recent one. With single sign-on, it is the
   * time at which the issuer authenticated the person.
   */
  signedInAt: Date;
  twoFactorEnabled: boolean;
}

export interface ShownSession {
  id: string;
  /** For example "Firefox on Windows". */
  device: string;
  /** Network address at the sign-in. */
  address: string;
  signedInAtMs: number;
  lastSeenAtMs: number;
  /** The session of this request. */
  isCurrent: boolean;
}

export type SignIn =
  | { outcome: 'signed_in'; cookies: string[]; userId: string }
  | { outcome: 'second_factor'; cookies: string[] }
  | { outcome: 'refused' | 'unverified'; cookies: [] };

/** How a person can confirm a session. */
export type Confirmation = { password: string } | { code: string };

export interface SessionsDependencies {
  auth: Auth;
  clock: Pick<Clock, 'now'>;
  secret: string;
  throttle: Throttle;
  sessions: SessionStore;
  people: PeopleStore;
  visitors: Pick<KnownVisitors, 'opened'>;
  background: Background;
  logger: Logger;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sign-in, sign-out and the sessions of a person. `cookies` are Set-Cookie values. */
export function createSessions(deps: SessionsDependencies) {
  const { auth, clock, secret, throttle, sessions, people, background } = deps;

  /** The session of a request. The cookies extend it; they are empty most of the time. */
  const open = async (headers: Headers): Promise<{ session: SignedIn; cookies: string[] } | undefined> => {
    const { response: found, headers: set } = await callAuth(() =>
      auth.api.getSession({ headers, returnHeaders: true }),
    );
    if (!found) return undefined;
    const { user, session } = found;
    deps.visitors.opened(session.token, user.id);
    background.run(sessions.touch(session.id, clock.now()));
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

  /** The narrowest count first. */
  const signInCounts = (email: string, { headers, address }: WebRequest): Count[] => {
    const account = accountKey(email);
    const device = knownDevice(secret, headers.get('cookie'), account);
    if (device) return [[limits.signInOfDevice, `${device}.${account}`]];
    const group = addressGroup(address);
    return [
      [limits.signInOfAccountAndAddress, `${account}.${group}`],
      [limits.signInOfAddress, group],
      [limits.signInOfAccount, account],
    ];
  };

  /** The request of somebody who is not signed in. With a session, a code would confirm that session's second factor. */
  const withoutSession = async (headers: Headers): Promise<Headers> => {
    const { name } = (await auth.$context).authCookies.sessionToken;
    const cookies = (headers.get('cookie') ?? '').split(';').filter((pair) => !pair.trim().startsWith(`${name}=`));
    const result = new Headers(headers);
    result.set('cookie', cookies.join(';'));
    return result;
  };

  const confirmationOf = (person: SignedIn, given: Confirmation, headers: Headers): (() => Promise<unknown>) => {
    if ('password' in given) {
      const { password } = given;
      if (password === '') throw invalidField('password', 'Enter your password.');
      return () =>
        callAuth(() => auth.api.verifyPassword({ body: { password }, headers }), passwordProblems('password'));
    }
    const code = given.code.replace(/\s/g, '');
    // Without a second factor, better-auth would accept a code of a set-up that nobody has finished.
    if (!person.twoFactorEnabled) throw invalidField('code', 'Two-step sign-in is not on. Enter your password.');
    if (!/^\d{6}$/.test(code)) throw invalidField('code', 'Enter the 6 digits of your authenticator app.');
    return () => callAuth(() => auth.api.verifyTOTP({ body: { code }, headers }), codeProblems);
  };

  return {
    open,

    async current(headers: Headers): Promise<SignedIn | undefined> {
      return (await open(headers))?.session;
    },

    /** The same answer, in a similar time, for a wrong password and for an address without an account. */
    async signIn(input: { email: string; password: string }, webRequest: WebRequest): Promise<SignIn> {
      if (input.email === '') throw invalidField('email', 'Enter your e-mail address.');
      if (input.password === '') throw invalidField('password', 'Enter your password.');
      const { headers, address, origin } = webRequest;
      const attempt = async (): Promise<SignIn> => {
        const signIn = () => auth.api.signInEmail({ body: input, headers, returnHeaders: true });
        const { headers: set, response } = await callAuth(signIn, signInProblems);
        const cookies = set.getSetCookie();
        if ('twoFactorRedirect' in response) return { outcome: 'second_factor', cookies };
        cookies.push(rememberDevice(secret, headers.get('cookie'), accountKey(input.email)));
        return { outcome: 'signed_in', cookies, userId: response.user.id };
      };
      try {
        return await throttle.guard(signInCounts(input.email, webRequest), async () => {
          try {
            return await attempt();
          } catch (error) {
            // The password is right.
            if (outcomeOf(error) === 'unverified') return { outcome: 'unverified', cookies: [] };
            throw error;
          }
        });
      } catch (error) {
        if (outcomeOf(error) !== 'refused') throw error;
        deps.logger.info({ requestId: origin.requestId, address }, 'a sign-in was refused');
        return { outcome: 'refused', cookies: [] };
      }
    },

    /** Second step of a sign-in: a code of the authenticator app, or a backup code. Each is accepted once. */
    async verifyCode(code: string, webRequest: WebRequest): Promise<{ cookies: string[]; userId: string }> {
      const headers = await withoutSession(webRequest.headers);
      const text = code.replace(/\s/g, '');
      if (text === '') throw invalidField('code', 'Enter a code.');
      const options = { body: { code: text }, headers, returnHeaders: true } as const;
      const verify = async () =>
        /^\d{6}$/.test(text) ? await auth.api.verifyTOTP(options) : await auth.api.verifyBackupCode(options);
      const counts: Count[] = [[limits.codeOfAddress, addressGroup(webRequest.address)]];
      const { headers: set, response } = await throttle.guard(counts, () => callAuth(verify, codeProblems));
      // The verification did not see the cookie of a session that the browser has got since the first step.
      await callAuth(() => auth.api.endSession({ headers: webRequest.headers }));
      const { id, email } = response.user as { id: string; email: string };
      const device = rememberDevice(secret, headers.get('cookie'), accountKey(email));
      return { cookies: [...set.getSetCookie(), device], userId: id };
    },

    /** Confirms the session. It gets a new token, and counts as signed in now. */
    async confirm(person: SignedIn, given: Confirmation, webRequest: WebRequest): Promise<string[]> {
      const { headers } = webRequest;
      const check = confirmationOf(person, given, headers);
      await throttle.guard([[limits.confirmationOfPerson, person.userId]], check);
      return renewSession(auth, headers, { isConfirmed: true });
    },

    /** After a change of the person's own rights: the session gets a new token. */
    renew: (headers: Headers) => renewSession(auth, headers),

    /** Which ways of confirming a session the person has. */
    async confirmations(userId: string): Promise<{ password: boolean; code: boolean; singleSignOn: boolean }> {
      const [person, providers] = await Promise.all([people.findById(userId), people.providersOf(userId)]);
      return {
        password: providers.includes('credential'),
        code: person?.twoFactorEnabled === true,
        singleSignOn: providers.includes(singleSignOnProvider),
      };
    },

    /** The person's sessions, the one in use last first. */
    async list({ userId, sessionId }: SignedIn): Promise<ShownSession[]> {
      const rows = await sessions.list(userId, new Date(clock.now()));
      return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
        id,
        device: deviceWords(userAgent),
        address,
        signedInAtMs: createdAt.getTime(),
        lastSeenAtMs: lastSeenAt.getTime(),
        isCurrent: id === sessionId,
      }));
    },
    end: (userId: string, sessionId: string) => sessions.end(userId, sessionId),
    endOthers: ({ userId, sessionId }: SignedIn) => sessions.endAll(userId, { except: sessionId }),
    /** For a change of a person's rights by somebody else: the person signs in again and gets a new token. */
    endAll: (userId: string) => sessions.endAll(userId),

    async signOut(headers: Headers): Promise<string[]> {
      const { headers: set } = await auth.api.signOut({ headers, returnHeaders: true });
      return set.getSetCookie();
    },
  };
}

const refused = () => new AppError('unauthorized', 'The e-mail address or the password is wrong.');

const signInProblems: AuthProblems = {
  INVALID_EMAIL: refused,
  INVALID_EMAIL_OR_PASSWORD: refused,
  VALIDATION_ERROR: refused,
  PASSWORD_TOO_LONG: refused,
  EMAIL_NOT_VERIFIED: () => new AppError('forbidden_scope', 'This address is not confirmed yet.'),
};

/** What a failed sign-in means for the page; undefined for every other failure. */
function outcomeOf(error: unknown): 'refused' | 'unverified' | undefined {
  if (!(error instanceof AppError)) return undefined;
  return error.code === 'unauthorized' ? 'refused' : error.code === 'forbidden_scope' ? 'unverified' : undefined;
}
