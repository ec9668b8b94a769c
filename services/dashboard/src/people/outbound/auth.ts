import { randomBytes } from 'node:crypto';
import { mongodbAdapter } from '@better-auth/mongo-adapter';
import { createKeyedSlots } from '@shopscope/async';
import { daySeconds } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import type { Mongo } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import { betterAuth } from 'better-auth';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import { passwordLength } from '../../app/domain/password-length.ts';
import { personName } from '../../app/domain/text.ts';
import type { SendMail } from '../../app/outbound/send-mail.ts';
import { invitationToken } from '../domain/invitation-link.ts';
import { mails } from '../domain/mails.ts';
import { hashPassword, verifyPassword } from '../domain/password.ts';
import { ownEndpoints } from './auth-endpoints.ts';
import { createSecondFactorStore } from './second-factors.ts';

/**
 * People, their ways to sign in and their sessions. better-auth stores them in this service's database. The web application calls
 * `auth.api`. Only the callback of single sign-on is reachable over HTTP.
 */
export interface AuthOptions {
  mongo: Pick<Mongo, 'client' | 'db'>;
  url: string;
  secret: string;
  openSignUp: boolean;
  /** If sign-up is not open, single sign-on creates accounts for these addresses only. */
  isInvited(email: string, now: Date): Promise<boolean>;
  sendMail: SendMail;
  logger: Logger;
  /** Runs work whose duration must not be visible to the caller, for example sending mail. Default: the work is awaited. */
  runInBackground?: ((work: Promise<unknown>) => void) | undefined;
  singleSignOn?: SingleSignOn | undefined;
}

/** OpenID Connect. The discovery document is read from `issuer`. */
export interface SingleSignOn {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** The name of the issuer in the callback's path and in stored accounts. */
export const singleSignOnProvider = 'oidc';

/** The name of the header in which the server passes the client's address. Express overwrites it in every request. */
export const clientAddressHeader = 'x-shopscope-client-address';

const sessionSeconds = 7 * daySeconds;
export const invitationSeconds = 7 * daySeconds;
const tokenSeconds = 60 * 60;

/**
 * A hash uses a thread of Node's pool for about 30 ms. The other threads of the pool remain for files, compression and host names. The
 * number of waiting hashes is bounded by the pages that may run at once.
 */
const hashesAtOnce = 2;

/** Returns an id for better-auth's documents, with 160 random bits. Ids are stored as strings. */
export const newAuthId = (): string => randomBytes(20).toString('base64url');

export function createAuth(options: AuthOptions) {
  const { mongo, url, sendMail, logger, openSignUp, singleSignOn } = options;
  // Maps the request of a callback to the time when the person signed in at the issuer.
  const issuerSignIns = new WeakMap<Request, Date>();
  const hashing = createKeyedSlots({ maxPerKey: hashesAtOnce });
  return betterAuth({
    appName: 'Shopscope',
    baseURL: url,
    basePath: '/auth',
    secret: options.secret,
    database: mongodbAdapter(mongo.db, { client: mongo.client }),
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      // Warnings of better-auth are refusals such as a wrong password, which operations count and log. Its errors include failures that any
      // caller can cause, such as a callback without a state. Real failures are logged where the response is made.
      log: (level, message) => logger[level === 'error' ? 'warn' : 'debug']({ source: 'better-auth' }, message),
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: tokenSeconds,
      password: {
        hash: (password) => hashing.run('hash', () => hashPassword(password)),
        verify: (given) => hashing.run('hash', () => verifyPassword(given)),
      },
      sendResetPassword: ({ user, token }) =>
        sendMail(mails.resetPassword(user, `${url}/reset-password?token=${token}`)),
      // The token was mailed to the address. Whoever has the token can therefore read mail to the address.
      onPasswordReset: async ({ user }) => {
        await mongo.db
          .collection<{ _id: string }>('user')
          .updateOne({ _id: user.id }, { $set: { emailVerified: true } });
      },
      onExistingUserSignUp: ({ user }) => sendMail(mails.accountExists(user, url)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: false,
      expiresIn: tokenSeconds,
      sendVerificationEmail: ({ user, token }) => sendMail(mails.verifyAddress(user, `${url}/verify?token=${token}`)),
    },
    session: {
      expiresIn: sessionSeconds,
      updateAge: daySeconds,
      additionalFields: { authenticatedAt: { type: 'date', required: false, input: false } },
    },
    databaseHooks: {
      user: {
        create: {
          // An issuer can send any name. Names from forms are checked already and stay unchanged.
          before: async (user) => ({ data: { ...user, name: personName(user.name, user.email) } }),
        },
      },
      session: {
        create: {
          async before(session, context) {
            const authenticatedAt = context?.request && issuerSignIns.get(context.request);
            return authenticatedAt && { data: { ...session, authenticatedAt } };
          },
        },
      },
    },
    verification: { storeIdentifier: 'hashed' },
    account: { encryptOAuthTokens: true, accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    user: {
      additionalFields: { workspaceName: { type: 'string', required: false, returned: false } },
      validateUserInfo: async ({ user, source }, context) => {
        if (source.method === 'oauth' && !user.emailVerified) return { error: 'address_not_verified' };
        if (source.method === 'oauth' && context?.request) {
          issuerSignIns.set(context.request, authTimeOf(source.oauth?.profile));
        }
        if (
          source.action !== 'create-user' ||
          openSignUp ||
          (await options.isInvited(String(user.email).toLowerCase(), new Date()))
        )
          return;
        return { error: 'not_invited' };
      },
    },
    onAPIError: { errorURL: `${url}/sign-in` },
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: '__Host-shopscope',
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('usr') : newAuthId()) },
      ...(options.runInBackground && { backgroundTasks: { handler: options.runInBackground } }),
    },
    plugins: [
      twoFactor({ issuer: 'Shopscope' }),
      ownEndpoints({ useTimeStep: createSecondFactorStore(mongo.db).useTimeStep, now: Date.now }),
      ...(singleSignOn ? [oidc(singleSignOn)] : []),
    ],
  });
}

export const invitationUrl = ({ url, secret }: Pick<AuthOptions, 'url' | 'secret'>, id: string): string =>
  `${url}/invitations/${invitationToken(secret, id)}`;

/**
 * The time when the issuer authenticated the person, from the claims of the verified id token. Without the claim it may have been at any
 * time, because an issuer may answer from its own session.
 */
function authTimeOf(claims: Record<string, unknown> | undefined): Date {
  const seconds = claims?.auth_time;
  return new Date(typeof seconds === 'number' ? Math.min(seconds * 1_000, Date.now()) : 0);
}

const oidc = ({ issuer, clientId, clientSecret }: SingleSignOn) =>
  genericOAuth({
    config: [
      {
        providerId: singleSignOnProvider,
        discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
      },
    ],
  });

export type Auth = ReturnType<typeof createAuth>;
