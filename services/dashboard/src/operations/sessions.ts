import { AppError, invalidField } from '@shopscope/errors';
import { APIError } from 'better-auth/api';
import type { Auth } from '../outbound/auth.ts';
import type { Visit } from './visit.ts';

/** A signed-in person and the session of the request. */
export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
  /** Time of the sign-in. Sensitive changes need a recent one. */
  signedInAt: Date;
}

export type SignIn =
  | { outcome: 'signed_in' | 'second_factor'; cookies: string[] }
  | { outcome: 'refused' | 'unverified'; cookies: [] };

export type Sessions = ReturnType<typeof createSessions>;

/** Sign-in, sign-out and the session of a request. `headers` are those of the request; `cookies` are Set-Cookie values. */
export function createSessions({ auth }: { auth: Auth }) {
  return {
    async current(headers: Headers): Promise<SignedIn | undefined> {
      const found = await auth.api.getSession({ headers });
      if (!found) return undefined;
      const { user, session } = found;
      return {
        userId: user.id,
        email: user.email,
        name: user.name,
        sessionId: session.id,
        signedInAt: new Date(session.createdAt),
      };
    },

    async signIn(input: { email: string; password: string }, { headers }: Visit): Promise<SignIn> {
      if (input.email === '') throw invalidField('email', 'Enter your e-mail address.');
      if (input.password === '') throw invalidField('password', 'Enter your password.');
      try {
        const { headers: set, response } = await auth.api.signInEmail({ body: input, headers, returnHeaders: true });
        const needsCode = 'twoFactorRedirect' in response && response.twoFactorRedirect === true;
        return { outcome: needsCode ? 'second_factor' : 'signed_in', cookies: set.getSetCookie() };
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        if (error.body?.code === 'EMAIL_NOT_VERIFIED') return { outcome: 'unverified', cookies: [] };
        if (error.statusCode === 401 || error.statusCode === 400) return { outcome: 'refused', cookies: [] };
        throw new AppError('internal', 'Signing in is not possible right now.', { cause: error });
      }
    },

    async signOut(headers: Headers): Promise<string[]> {
      const { headers: set } = await auth.api.signOut({ headers, returnHeaders: true });
      return set.getSetCookie();
    },
  };
}
