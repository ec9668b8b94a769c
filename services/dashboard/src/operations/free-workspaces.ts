import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';
import { givenName } from '../domain/text.ts';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { FreeWorkspaceStore } from '../outbound/mongo/free-workspaces.ts';
import type { MemberStore } from '../outbound/mongo/members.ts';
import type { OrganizationStore } from '../outbound/mongo/organizations.ts';
import type { PeopleStore } from '../outbound/mongo/people.ts';
import type { Visit } from './visit.ts';

export interface FreeWorkspacesDependencies {
  openSignUp: boolean;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  store: FreeWorkspaceStore;
  members: MemberStore;
  organizations: OrganizationStore;
  people: PeopleStore;
  keys: Pick<KeysClient, 'createWorkspace'>;
}

/** Longer than the calls of one creation. */
const leaseMs = 30_000;

export type FreeWorkspaces = ReturnType<typeof createFreeWorkspaces>;

/** With open sign-up, each person can create one workspace on the plan `free`. */
export function createFreeWorkspaces(deps: FreeWorkspacesDependencies) {
  const { clock, store, members, organizations, people } = deps;
  const now = () => new Date(clock.now());

  /**
   * Creates the workspace with the person as its admin. A failure after each step:
   *
   * 1. Claim the person's creation. -> The claim ends after its lease.
   * 2. Create the workspace in the keys service. -> A lost response leaves a workspace there that nobody is in and that
   *    has no keys. The next attempt creates another one.
   * 3. Note its id. -> The next attempt continues here.
   * 4. Make the organization and its member. -> Both are made once; the next attempt makes what is missing.
   */
  const create = async (userId: string, name: string, visit: Visit): Promise<string> => {
    const claim = await store.claim(userId, now(), leaseMs);
    if (claim === 'busy') {
      throw new AppError('conflict', 'Your workspace is being created. Reload this page in a few seconds.');
    }
    try {
      const actor = { actor: userId, actorAddress: visit.address };
      let workspaceId: string;
      if (claim === 'claimed') {
        workspaceId = (await deps.keys.createWorkspace(name, 'free', actor, visit.origin)).id;
        await store.setWorkspace(userId, workspaceId);
      } else workspaceId = claim.workspaceId;
      const organizationId = await organizations.ensure(workspaceId, name, now());
      if (!(await members.findMembership(userId, workspaceId))) {
        await organizations.addMember({ organizationId, userId, role: 'admin' }, now());
      }
      return workspaceId;
    } finally {
      await store.release(userId, { forget: false });
    }
  };

  const isAvailable = async (userId: string): Promise<boolean> => {
    if (!deps.openSignUp) return false;
    const workspaceId = await store.find(userId);
    return workspaceId === undefined || (await members.findMembership(userId, workspaceId)) === undefined;
  };

  return {
    /** Whether the person can create a workspace, and the name that was given at the sign-up. */
    async offer(userId: string): Promise<{ name: string } | undefined> {
      if (!(await isAvailable(userId))) return undefined;
      return { name: (await people.findById(userId))?.workspaceName ?? '' };
    },

    async create(userId: string, name: string, visit: Visit): Promise<string> {
      const given = givenName('name', name, 200);
      if (!(await isAvailable(userId))) {
        throw new AppError('conflict', 'You have created your free workspace already. Ask an admin for an invitation.');
      }
      return create(userId, given, visit);
    },

    /**
     * Creates the workspace that a person asked for when signing up, at the first sign-in.
     * A failure does not prevent the sign-in. The start page then offers to create the workspace.
     */
    async createAtFirstSignIn(userId: string, visit: Visit): Promise<void> {
      try {
        const offer = await this.offer(userId);
        if (!offer || offer.name === '' || (await members.listWorkspaces(userId)).length > 0) return;
        await create(userId, offer.name, visit);
      } catch (error) {
        deps.logger.warn({ err: error, ...visit.origin }, 'the first workspace could not be created at the sign-in');
      }
    },
  };
}
