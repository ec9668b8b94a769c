import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware, sensitiveSessionMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { symmetricDecrypt } from 'better-auth/crypto';
import { z } from 'zod';
import { matchingStep } from '../domain/totp.ts';
import type { SecondFactorStore } from './second-factors.ts';

/** The second factor of a person as better-auth stores it, with the latest used time step, which this plugin adds. */
interface TwoFactorRow {
  id: string;
  secret: string;
}

/**
 * Endpoints and hooks that better-auth lacks. The endpoints have no path, so they are not reachable over HTTP.
 *
 * - renewSession: creates a new session in place of the request's session, whose token becomes invalid.
 * - endSession: ends the session of the request's cookie.
 * - pendingSecondFactor: returns the secret of a second factor that no code has confirmed yet.
 * - createInvitedPerson: creates an account whose address is proven by the link of an invitation.
 * - After each call that gives the browser a new session, or first asks for a code: the earlier session of the browser ends.
 * - Before a TOTP code is verified: the code's time step is marked as used, so that each code is accepted once.
 */
export const ownEndpoints = ({ useTimeStep, now }: Pick<SecondFactorStore, 'useTimeStep'> & { now(): number }) =>
  ({
    id: 'shopscope',
    endpoints: {
      renewSession: createAuthEndpoint.serverOnly(
        {
          method: 'POST',
          use: [sensitiveSessionMiddleware],
          /** isConfirmed: whether the person has just entered a password or a code. */
          body: z.object({ isConfirmed: z.boolean() }),
        },
        async (ctx) => {
          const { session, user } = ctx.context.session;
          const { internalAdapter } = ctx.context;
          const { createdAt, expiresAt, ipAddress, userAgent, authenticatedAt } = session;
          const kept = { createdAt, expiresAt, ipAddress, userAgent, authenticatedAt };
          const renewed = ctx.body.isConfirmed
            ? await internalAdapter.createSession(user.id, false, { ipAddress, userAgent })
            : await internalAdapter.createSession(user.id, false, kept, true);
          await setSessionCookie(ctx, { session: renewed, user });
          return ctx.json({ sessionId: renewed.id });
        },
      ),

      endSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
        await endEarlierSession(ctx);
        return ctx.json({});
      }),

      pendingSecondFactor: createAuthEndpoint.serverOnly(
        { method: 'POST', use: [sensitiveSessionMiddleware] },
        async (ctx) => {
          const row = await ctx.context.adapter.findOne<TwoFactorRow & { verified: boolean }>({
            model: 'twoFactor',
            where: [{ field: 'userId', value: ctx.context.session.user.id }],
          });
          if (row?.verified !== false) return ctx.json({ secret: null });
          return ctx.json({ secret: await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret }) });
        },
      ),

      createInvitedPerson: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ email: z.email(), name: z.string(), password: z.string() }) },
        async (ctx) => {
          const { internalAdapter, password } = ctx.context;
          const hash = await password.hash(ctx.body.password);
          const { email, name } = ctx.body;
          const user = await internalAdapter.createUser(
            { email, name, emailVerified: true },
            { method: 'email-password' },
          );
          await internalAdapter.linkAccount({
            userId: user.id,
            providerId: 'credential',
            accountId: user.id,
            password: hash,
          });
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ userId: user.id });
        },
      ),
    },
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, returned } = ctx.context;
            // A sign-in that waits for a code has removed the cookie of the earlier session.
            const isWaiting = typeof returned === 'object' && returned !== null && 'twoFactorRedirect' in returned;
            if (newSession || isWaiting) await endEarlierSession(ctx, newSession?.session.token);
          }),
        },
      ],
      before: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async (ctx) => {
            const userId = await userOfChallenge(ctx);
            if (!userId) return;
            const row = await ctx.context.adapter.findOne<TwoFactorRow>({
              model: 'twoFactor',
              where: [{ field: 'userId', value: userId }],
            });
            if (!row) return;
            const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret });
            const step = matchingStep(secret, String(ctx.body.code), now());
            if (step === undefined || (await useTimeStep(row.id, step))) return;
            throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'the code was used before' });
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin;

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Ends the session of the browser's cookie, unless its token is `current`. */
async function endEarlierSession(ctx: HookContext, current?: string): Promise<void> {
  const { internalAdapter, authCookies, secret } = ctx.context;
  const earlier = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  if (earlier && earlier !== current) await internalAdapter.deleteSession(earlier);
}

/** The person of the session, or of the sign-in that waits for a code. */
async function userOfChallenge(ctx: HookContext): Promise<string | undefined> {
  const { internalAdapter, authCookies, secret } = ctx.context;
  const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  const found = token ? await internalAdapter.findSession(token) : null;
  if (found && found.session.expiresAt > new Date()) return found.user.id;
  const challenge = await ctx.getSignedCookie(ctx.context.createAuthCookie('two_factor').name, secret);
  return challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined;
}
