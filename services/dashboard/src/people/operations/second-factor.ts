import type { Clock } from '@shopscope/clock';
import { AppError, invalidField } from '@shopscope/errors';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Background } from '../../app/operations/background.ts';
import { requireRecentSignIn } from '../../app/operations/recent-sign-in.ts';
import type { WebRequest } from '../../app/operations/web-request.ts';
import type { SendMail } from '../../app/outbound/send-mail.ts';
import type { Throttle } from '../../app/outbound/throttle.ts';
import { mails } from '../domain/mails.ts';
import { authenticatorLink, authenticatorSecret, qrCode } from '../domain/second-factor.ts';
import type { Auth } from '../outbound/auth.ts';
import type { SecondFactorStore } from '../outbound/second-factors.ts';
import type { SessionStore } from '../outbound/sessions.ts';
import { callAuth, codeProblems, passwordProblems } from './auth-problem.ts';
import type { SignedIn } from './sessions.ts';

export interface SecondFactorDependencies {
  auth: Auth;
  clock: Pick<Clock, 'now'>;
  secondFactors: SecondFactorStore;
  url: string;
  throttle: Throttle;
  sessions: SessionStore;
  background: Background;
  sendMail: SendMail;
}

/** What a person needs to add the account to an authenticator app. */
export interface PendingSecondFactor {
  secret: string;
  link: string;
  qr: { size: number; path: string };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

/** One-time codes of an authenticator app (TOTP), with backup codes. Each change gives the session a new token. */
export function createSecondFactor(deps: SecondFactorDependencies) {
  const { auth, clock, secondFactors, throttle } = deps;
  const now = () => new Date(clock.now());

  /** Runs a change that needs the password. */
  const withPassword = async <T>(person: SignedIn, password: string, change: () => Promise<T>): Promise<T> => {
    if (password === '') throw invalidField('password', 'Enter your password.');
    return throttle.guard([[limits.confirmationOfPerson, person.userId]], () =>
      callAuth(change, passwordProblems('password')),
    );
  };

  const codesOf = async (userId: string): Promise<string[]> =>
    (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes;

  return {
    /** How many backup codes are left; undefined without a second factor. */
    async backupCodesLeft({ userId, twoFactorEnabled }: SignedIn): Promise<number | undefined> {
      return twoFactorEnabled ? (await codesOf(userId)).length : undefined;
    },

    /** First step: makes a secret. Nothing changes for sign-ins until a code confirms it. */
    async begin(password: string, person: SignedIn, { headers }: WebRequest): Promise<void> {
      await withPassword(person, password, () =>
        auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers }),
      );
      await secondFactors.begin(person.userId, now());
    },

    /** The secret of the first step, while it waits for its code: 15 minutes at most, and with a recent sign-in only. */
    async pending(person: SignedIn, { headers }: WebRequest): Promise<PendingSecondFactor | undefined> {
      if (person.twoFactorEnabled || !(await secondFactors.isBegun(person.userId, now()))) return undefined;
      requireRecentSignIn(person, clock.now());
      const found = await callAuth(() => auth.api.pendingSecondFactor({ headers })).catch((error) => {
        // The request's own action has just replaced the session's token.
        if (error instanceof AppError && error.code === 'unauthorized') return undefined;
        throw error;
      });
      if (!found || found.secret === null) return undefined;
      const { secret } = found;
      const link = authenticatorLink(secret, person.email);
      return { secret: authenticatorSecret(secret), link, qr: qrCode(link) };
    },

    /** Second step: a code turns the second factor on and ends the other sessions. The codes are shown only now. */
    async enable(
      code: string,
      person: SignedIn,
      { headers }: WebRequest,
    ): Promise<{ backupCodes: string[]; cookies: string[] }> {
      requireRecentSignIn(person, clock.now());
      const text = code.replace(/\s/g, '');
      if (!/^\d{6}$/.test(text)) throw invalidField('code', 'Enter the 6 digits that the app shows.');
      const begunAt = person.twoFactorEnabled ? undefined : await secondFactors.take(person.userId, now());
      if (!begunAt) throw new AppError('conflict', 'The set-up has expired. Begin again with your password.');
      const verify = () => auth.api.verifyTOTP({ body: { code: text }, headers, returnHeaders: true });
      const verified = await throttle
        .guard([[limits.confirmationOfPerson, person.userId]], () => callAuth(verify, codeProblems))
        .catch(async (error) => {
          await secondFactors.begin(person.userId, begunAt);
          throw error;
        });
      const cookies = verified.headers.getSetCookie();
      await endOthers(person.userId, cookies);
      deps.background.run(deps.sendMail(mails.secondFactorChanged(person, true, deps.url)));
      return { backupCodes: await codesOf(person.userId), cookies };
    },

    /** Ends a set-up that no code has confirmed. Its secret is deleted. */
    cancel: ({ userId }: SignedIn) => secondFactors.cancel(userId),

    /** The older backup codes are void. */
    async newBackupCodes(password: string, person: SignedIn, { headers }: WebRequest): Promise<string[]> {
      const { backupCodes } = await withPassword(person, password, () =>
        auth.api.generateBackupCodes({ body: { password }, headers }),
      );
      return backupCodes;
    },

    async disable(password: string, person: SignedIn, { headers }: WebRequest): Promise<string[]> {
      const disabled = await withPassword(person, password, () =>
        auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true }),
      );
      const cookies = disabled.headers.getSetCookie();
      await endOthers(person.userId, cookies);
      deps.background.run(deps.sendMail(mails.secondFactorChanged(person, false, deps.url)));
      return cookies;
    },
  };

  /** Ends all sessions but the one that the cookies belong to. */
  async function endOthers(userId: string, cookies: readonly string[]): Promise<void> {
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
    const found = await auth.api.getSession({ headers: new Headers({ cookie }) });
    await deps.sessions.endAll(userId, { except: found?.session.id });
  }
}
