import { randomBytes } from 'node:crypto';
import { mongodbAdapter } from '@better-auth/mongo-adapter';
import { newId } from '@shopscope/ids';
import type { Mongo } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import { betterAuth } from 'better-auth';
import { organization, twoFactor } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements, memberAc } from 'better-auth/plugins/organization/access';
import { mails } from '../domain/mails.ts';
import { hashPassword, passwordLength, verifyPassword } from '../domain/password.ts';
import type { SendMail } from './mail/send-mail.ts';

/**
 * People, sessions, workspaces' members and invitations, kept by better-auth in this service's database.
 *
 * - The web application calls `auth.api`. Only the callback of single sign-on is reachable over HTTP.
 * - An organization of better-auth is a workspace. Its slug is the id of the workspace in the keys service.
 * - Roles: `admin` and `member`.
 */
export interface AuthOptions {
  mongo: Pick<Mongo, 'client' | 'db'>;
  url: string;
  secret: string;
  openSignUp: boolean;
  sendMail: SendMail;
  logger: Logger;
}

/** The name of the header in which the server passes the client's address. Express overwrites it in every request. */
export const clientAddressHeader = 'x-shopscope-client-address';

export const sessionSeconds = 7 * 24 * 60 * 60;
export const invitationSeconds = 7 * 24 * 60 * 60;
const tokenSeconds = 60 * 60;

const accessControl = createAccessControl({ ...defaultStatements });
const roles = {
  admin: accessControl.newRole({ ...adminAc.statements, organization: ['update', 'delete'] }),
  member: accessControl.newRole({ ...memberAc.statements }),
};

export function createAuth(options: AuthOptions) {
  const { mongo, url, sendMail, logger } = options;
  return betterAuth({
    appName: 'Shopscope',
    baseURL: url,
    basePath: '/auth',
    secret: options.secret,
    database: mongodbAdapter(mongo.db, { client: mongo.client }),
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message) => logger[level === 'error' ? 'error' : 'warn']({ source: 'better-auth' }, message),
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: tokenSeconds,
      password: { hash: hashPassword, verify: verifyPassword },
      sendResetPassword: ({ user, token }) =>
        sendMail(mails.resetPassword(user, `${url}/reset-password?token=${token}`)),
      onExistingUserSignUp: ({ user }) => sendMail(mails.accountExists(user, url)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      expiresIn: tokenSeconds,
      sendVerificationEmail: ({ user, token }) => sendMail(mails.verifyAddress(user, `${url}/verify?token=${token}`)),
    },
    session: { expiresIn: sessionSeconds, updateAge: 24 * 60 * 60 },
    verification: { storeIdentifier: 'hashed' },
    account: { encryptOAuthTokens: true },
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: '__Host-shopscope',
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: {
        generateId: ({ model }) => (model === 'user' ? newId('usr') : randomBytes(20).toString('base64url')),
      },
    },
    plugins: [
      organization({
        ac: accessControl,
        roles,
        creatorRole: 'admin',
        allowUserToCreateOrganization: false,
        membershipLimit: 200,
        invitationLimit: 100,
        invitationExpiresIn: invitationSeconds,
        cancelPendingInvitationsOnReInvite: true,
        requireEmailVerificationOnInvitation: true,
        sendInvitationEmail: (invitation) =>
          sendMail(mails.invitation(invitation, `${url}/invitations/${invitation.id}`)),
      }),
      twoFactor({ issuer: 'Shopscope' }),
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;
