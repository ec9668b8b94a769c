import type { Origin } from '@shopscope/telemetry';
import type { Actor } from '../domain/actor.ts';
import type { Membership } from './workspaces.ts';

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
export const actorOf = ({ person: { userId, name, email }, address }: WorkspaceVisit): Actor => ({
  actor: userId,
  actorAddress: address,
  actorPerson: { name, email },
});
