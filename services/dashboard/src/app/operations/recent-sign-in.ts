import { AppError } from '@shopscope/errors';
import type { SignedIn } from './workspace-visit.ts';

/** A sensitive change needs a sign-in or a confirmation within this time. */
export const recentSignInMs = 15 * 60_000;

/**
 * Throws `unauthorized` when the latest sign-in or confirmation of the session is more than {@link recentSignInMs} ago.
 * The page then leads to /confirm, and back afterwards.
 */
export function requireRecentSignIn({ signedInAt }: SignedIn, nowMs: number): void {
  if (nowMs - signedInAt.getTime() <= recentSignInMs) return;
  throw new AppError('unauthorized', 'Confirm that it is you before this change.', { details: { confirm: 'true' } });
}
