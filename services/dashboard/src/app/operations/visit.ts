import { minuteMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Actor } from '../domain/actor.ts';
import type { Membership, TeamStore } from '../outbound/team.ts';
import type { Dependencies } from '../wiring/dependencies.ts';

/** Who asks for something, and what only some of them may do. */

export type { Membership };

/** What an operation knows of the HTTP request that it runs for. The person may be signed out. */
export interface WebRequest {
  headers: Headers;
  /** Network address of the person, for throttling and the audit log. */
  address: string;
  origin: Origin;
}

/** A signed-in person and the session of the request. */
export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
  /**
   * Time of the sign-in or of the latest confirmation. Sensitive changes need a recent one. With single sign-on, it is the
   * time at which the issuer authenticated the person.
   */
  signedInAt: Date;
  twoFactorEnabled: boolean;
}

/** A person's request to a page of a workspace. */
export interface WorkspaceVisit {
  person: SignedIn;
  membership: Membership;
  /** Network address of the person; empty when it is not known. */
  address: string;
  origin: Origin;
}

/** The person, for the audit log. */
export const actorOf = ({
  person: { userId, name, email },
  address,
}: Pick<WorkspaceVisit, 'person' | 'address'>): Actor => ({
  actor: userId,
  actorAddress: address,
  actorPerson: { name, email },
});

/** Throws `forbidden_scope` for members. */
export function requireAdmin({ role }: Membership): void {
  if (role !== 'admin') throw new AppError('forbidden_scope', 'Only admins of this workspace can do this.');
}

/** A sensitive change needs a sign-in or a confirmation within this time. */
const recentSignInMs = 15 * minuteMs;

/**
 * Throws `unauthorized` when the latest sign-in or confirmation of the session is more than {@link recentSignInMs} ago.
 * The page then leads to /confirm, and back afterwards.
 */
export function requireRecentSignIn({ signedInAt }: SignedIn, nowMs: number): void {
  if (nowMs - signedInAt.getTime() <= recentSignInMs) return;
  throw new AppError('unauthorized', 'Confirm that it is you before this change.', { details: { confirm: 'true' } });
}

/** Reads the acting person's role again, for example within a change. Throws `forbidden_scope` for somebody who is no admin any more. */
export async function requireStillAdmin(
  team: Pick<TeamStore, 'roleOf'>,
  { membership, person }: WorkspaceVisit,
  tx?: Tx,
): Promise<void> {
  const role = (await team.roleOf(membership.organizationId, person.userId, tx)) ?? 'member';
  requireAdmin({ ...membership, role });
}

export function requireRecentAdmin({ clock }: Pick<Dependencies, 'clock'>, { membership, person }: WorkspaceVisit) {
  requireAdmin(membership);
  requireRecentSignIn(person, clock.now());
}
