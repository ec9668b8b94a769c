import type { Origin } from '@shopscope/telemetry';
import type { Actor } from '../../keys/outbound/keys.ts';
import type { SignedIn } from '../../people/operations/sessions.ts';
import type { Membership } from './workspaces.ts';

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
