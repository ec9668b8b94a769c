import { AppError, invalidField } from '@shopscope/errors';
import { fromMongo } from '@shopscope/mongo';
import { APIError } from 'better-auth/api';
import { ownValue } from '../../app/domain/own-value.ts';

/** The problems for error codes of better-auth. */
export type AuthProblems = Readonly<Record<string, () => AppError>>;

/**
 * Converts a failure of better-auth into an error for the caller.
 *
 * - A code in `problems` -> that problem.
 * - The session of the request has ended -> `unauthorized`.
 * - better-auth fails, or the database does not answer -> `unavailable`.
 * - Another error -> it is returned unchanged and becomes `internal`.
 * - Another refusal -> `conflict`, because the state has changed since the page was loaded.
 */
export function authProblem(error: unknown, problems: AuthProblems = {}): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof APIError)) {
    const problem = fromMongo(error);
    return problem.retryable ? unavailable(error) : problem;
  }
  if (error.statusCode >= 500) return unavailable(error);
  const known = ownValue(problems, error.body?.code ?? '');
  if (known) return known();
  if (error.statusCode === 401) return new AppError('unauthorized', 'Your session has ended. Sign in again.');
  return new AppError('conflict', 'This was changed meanwhile. Reload the page.', { cause: error });
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'This is not possible right now. Try again in a few seconds.', { cause });

/** Runs a call of better-auth. Rejects with its {@link authProblem}. */
export async function callAuth<T>(call: () => Promise<T>, problems?: AuthProblems): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw authProblem(error, problems);
  }
}

/** Problems of a password, for a field of a form. */
export function passwordProblems(field: string): AuthProblems {
  const wrong = () => invalidField(field, 'The password is wrong.');
  return {
    INVALID_PASSWORD: wrong,
    // A longer text is never a correct password.
    PASSWORD_TOO_LONG: wrong,
    CREDENTIAL_ACCOUNT_NOT_FOUND: () => invalidField(field, 'Your account has no password.'),
  };
}

const wrongCode = () => invalidField('code', 'The code is wrong, or it was used already. Wait for the next code.');
const restart = (text: string) => () => new AppError('unauthorized', text, { details: { restart: 'true' } });

/** Problems of a code from an authenticator app, or of a backup code. */
export const codeProblems: AuthProblems = {
  INVALID_CODE: wrongCode,
  INVALID_BACKUP_CODE: wrongCode,
  TOTP_NOT_ENABLED: wrongCode,
  BACKUP_CODES_NOT_ENABLED: wrongCode,
  INVALID_TWO_FACTOR_COOKIE: restart('The sign-in has expired. Begin again with your password.'),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: restart('There were too many wrong codes. Begin again with your password.'),
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new AppError('rate_limited', 'There were too many wrong codes. Try again in 15 minutes.', {
      details: { retry_after: 900 },
    }),
};
