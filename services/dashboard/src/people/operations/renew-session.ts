import type { Auth } from '../outbound/auth.ts';
import { callAuth } from './auth-problem.ts';

/**
 * Gives the session of the request a new token, because its rights change. The older token becomes invalid. Resolves to Set-Cookie values.
 *
 * @param options.isConfirmed Whether the person has just entered a password or a code. The session then counts as signed in now.
 */
export async function renewSession(auth: Auth, headers: Headers, options = { isConfirmed: false }): Promise<string[]> {
  const renewed = await callAuth(() => auth.api.renewSession({ headers, body: options, returnHeaders: true }));
  return renewed.headers.getSetCookie();
}
