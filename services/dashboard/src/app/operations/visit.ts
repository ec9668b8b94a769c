import { minuteMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Actor } from '../domain/actor.ts';
import { segmentOf } from '../domain/workspace-segment.ts';
import type { Membership, TeamStore } from '../outbound/team.ts';
import type { Dependencies } from '../wiring/dependencies.ts';

/** The acting person of an operation, and checks of the person's rights. */

export type { Membership };

/** The data of an HTTP request that an operation needs. The person may be signed out. */
export interface WebRequest {
  headers: Headers;
  /** The network address of the person, for throttling and the audit log. */
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
   * The time of the sign-in or of the latest confirmation. Sensitive changes need a recent one. With single sign-on, it is the time at
   * which the issuer authenticated the person.
   */
  signedInAt: Date;
  twoFactorEnabled: boolean;
}

/** A person's request to a page of a workspace. */
export interface WorkspaceVisit {
  person: SignedIn;
  membership: Membership;
  /** The network address of the person; empty if it is not known. */
  address: string;
  /** Calls of other services carry it. Its environment is the one whose data the page shows and changes. */
  origin: Origin & { environment: Environment };
}

/**
 * The owner of what this service keeps for a workspace in one environment: look-ups, imports, pages of changes, the Dashboard key. It is the
 * segment of the workspace in paths.
 */
export const keeperOf = ({ membership: { workspaceId }, origin: { environment } }: WorkspaceVisit): string =>
  segmentOf({ workspaceId, environment });

/** The acting person, in the form of the audit log. */
export const actorOf = ({
  person: { userId, name, email },
  address,
}: Pick<WorkspaceVisit, 'person' | 'address'>): Actor => ({
  actor: userId,
  actorAddress: address,
  actorPerson: { name, email },
});

/** Throws `forbidden_scope` if the person is not an admin. */
export function requireAdmin({ role }: Membership): void {
  if (role !== 'admin') throw new AppError('forbidden_scope', 'Only admins of this workspace can do this.');
}

/** A sensitive change needs a sign-in or a confirmation within this time. */
const recentSignInMs = 15 * minuteMs;

/**
 * Throws `unauthorized` if the latest sign-in or confirmation of the session is more than {@link recentSignInMs} ago. The page then leads
 * to /confirm, and the person returns afterwards.
 */
export function requireRecentSignIn({ signedInAt }: SignedIn, nowMs: number): void {
  if (nowMs - signedInAt.getTime() <= recentSignInMs) return;
  throw new AppError('unauthorized', 'Confirm that it is you before this change.', { details: { confirm: 'true' } });
}

/** Reads the acting person's role again, for example within a change. Throws `forbidden_scope` if the person is no longer an admin. */
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
