/** One-time codes of an authenticator app (TOTP), and backup codes. Each change gives the session a new token. */

import { AppError, invalidField } from '@shopscope/errors';
import { limits } from '../../app/domain/throttle-limits.ts';
import { requireRecentSignIn, type SignedIn, type WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { mails } from '../domain/mails.ts';
import { authenticatorLink, authenticatorSecret, qrCode } from '../domain/second-factor.ts';
import { callAuth, codeProblems, passwordProblems } from './auth-problem.ts';

const now = (deps: Dependencies) => new Date(deps.clock.now());

/** Makes a change that needs the password. */
const withPassword = async <T>(deps: Dependencies, person: SignedIn, password: string, change: () => Promise<T>) => {
  if (password === '') throw invalidField('password', 'Enter your password.');
  return deps.throttle.guard([[limits.confirmationOfPerson, person.userId]], () =>
    callAuth(change, passwordProblems('password')),
  );
};

const codesOf = async (deps: Dependencies, userId: string): Promise<string[]> =>
  (await deps.auth.api.viewBackupCodes({ body: { userId } })).backupCodes;

/** Ends all sessions of the person, except the session of these cookies. */
async function endOthers(deps: Dependencies, userId: string, cookies: readonly string[]): Promise<void> {
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  const found = await deps.auth.api.getSession({ headers: new Headers({ cookie }) });
  await deps.sessions.endAll(userId, { except: found?.session.id });
}

/** The number of remaining backup codes; undefined without a second factor. */
export async function backupCodesLeft(deps: Dependencies, { userId, twoFactorEnabled }: SignedIn) {
  return twoFactorEnabled ? (await codesOf(deps, userId)).length : undefined;
}

/** First step: creates a secret. Sign-ins do not change until a code confirms it. */
export async function begin(deps: Dependencies, password: string, person: SignedIn, { headers }: WebRequest) {
  await withPassword(deps, person, password, () =>
    deps.auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers }),
  );
  await deps.secondFactors.begin(person.userId, now(deps));
}

/** The secret of the first step, while it waits for its code. It waits for at most 15 minutes, and a recent sign-in is needed. */
export async function pending(deps: Dependencies, person: SignedIn, { headers }: WebRequest) {
  if (person.twoFactorEnabled || !(await deps.secondFactors.isBegun(person.userId, now(deps)))) return undefined;
  requireRecentSignIn(person, deps.clock.now());
  const found = await callAuth(() => deps.auth.api.pendingSecondFactor({ headers })).catch((error) => {
    // An action in the same request has just replaced the session's token.
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  });
  if (!found || found.secret === null) return undefined;
  const { secret } = found;
  const link = authenticatorLink(secret, person.email);
  return { secret: authenticatorSecret(secret), link, qr: qrCode(link) };
}

/** Second step: a code turns the second factor on and ends the other sessions. The backup codes are shown only now. */
export async function enable(deps: Dependencies, code: string, person: SignedIn, { headers }: WebRequest) {
  requireRecentSignIn(person, deps.clock.now());
  const text = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(text)) throw invalidField('code', 'Enter the 6 digits that the app shows.');
  const begunAt = person.twoFactorEnabled ? undefined : await deps.secondFactors.take(person.userId, now(deps));
  if (!begunAt) throw new AppError('conflict', 'The set-up has expired. Begin again with your password.');
  const verify = () => deps.auth.api.verifyTOTP({ body: { code: text }, headers, returnHeaders: true });
  const verified = await deps.throttle
    .guard([[limits.confirmationOfPerson, person.userId]], () => callAuth(verify, codeProblems))
    .catch(async (error) => {
      await deps.secondFactors.begin(person.userId, begunAt);
      throw error;
    });
  const cookies = verified.headers.getSetCookie();
  await endOthers(deps, person.userId, cookies);
  deps.background.run(deps.sendMail(mails.secondFactorChanged(person, true, deps.url)));
  return { backupCodes: await codesOf(deps, person.userId), cookies };
}

/** Ends a set-up that no code has confirmed, and deletes its secret. */
export const cancel = (deps: Dependencies, { userId }: SignedIn) => deps.secondFactors.cancel(userId);

/** Creates new backup codes. The older ones become invalid. */
export async function newBackupCodes(deps: Dependencies, password: string, person: SignedIn, { headers }: WebRequest) {
  const { backupCodes } = await withPassword(deps, person, password, () =>
    deps.auth.api.generateBackupCodes({ body: { password }, headers }),
  );
  return backupCodes;
}

export async function disable(deps: Dependencies, password: string, person: SignedIn, { headers }: WebRequest) {
  const disabled = await withPassword(deps, person, password, () =>
    deps.auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true }),
  );
  const cookies = disabled.headers.getSetCookie();
  await endOthers(deps, person.userId, cookies);
  deps.background.run(deps.sendMail(mails.secondFactorChanged(person, false, deps.url)));
  return cookies;
}
