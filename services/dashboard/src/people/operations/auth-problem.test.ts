import { APIError } from 'better-auth/api';
import { describe, expect, it } from 'vitest';
import { authProblem, passwordProblems } from './auth-problem.ts';

const problemOf = (status: ConstructorParameters<typeof APIError>[0], code: string) =>
  authProblem(new APIError(status, { code, message: code }), passwordProblems('password'));

describe('failures of better-auth', () => {
  it('a failure of better-auth says that the password is wrong only if it has the code of a wrong password', () => {
    expect(problemOf('BAD_REQUEST', 'INVALID_PASSWORD')).toMatchObject({
      code: 'invalid_request',
      publicMessage: 'password: The password is wrong.',
    });
    for (const [status, code] of [
      ['BAD_REQUEST', 'CREDENTIAL_ACCOUNT_NOT_FOUND'],
      ['BAD_REQUEST', 'SOMETHING_ELSE'],
      ['UNAUTHORIZED', 'UNAUTHORIZED'],
      ['INTERNAL_SERVER_ERROR', 'FAILED_TO_GET_SESSION'],
    ] as const) {
      expect(problemOf(status, code).publicMessage).not.toContain('wrong');
    }
  });

  it('a failure of better-auth is unauthorized for an ended session, and unavailable when the service or database fails', () => {
    expect(problemOf('UNAUTHORIZED', 'UNAUTHORIZED')).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(problemOf('INTERNAL_SERVER_ERROR', 'FAILED_TO_GET_SESSION')).toMatchObject({ status: 503 });
    expect(authProblem(new TypeError('a fault of this service'))).toMatchObject({ code: 'internal' });
  });
});
