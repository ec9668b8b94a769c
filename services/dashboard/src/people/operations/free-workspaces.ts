import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Transact } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { PersonName } from '../../app/domain/actor.ts';
import { givenWorkspaceName } from '../../app/domain/text.ts';
import type { WebRequest } from '../../app/operations/web-request.ts';
import type { MemberStore } from '../../app/outbound/members.ts';
import type { KeysClient } from '../../keys/outbound/keys.ts';
import { mailboxKey } from '../domain/mailbox.ts';
import { sign } from '../domain/signature.ts';
import type { Auth } from '../outbound/auth.ts';
import type { FreeWorkspaceClaim, FreeWorkspaceOwner, FreeWorkspaceStore } from '../outbound/free-workspaces.ts';
import type { OrganizationStore } from '../outbound/organizations.ts';
import type { PeopleStore } from '../outbound/people.ts';
import { renewSession } from './renew-session.ts';

export interface FreeWorkspacesDependencies {
  auth: Auth;
  openSignUp: boolean;
  secret: string;
  transact: Transact;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  store: FreeWorkspaceStore;
  members: MemberStore;
  organizations: OrganizationStore;
  people: PeopleStore;
  keys: Pick<KeysClient, 'createWorkspace' | 'getWorkspace'>;
}

type Owner = FreeWorkspaceOwner & { person: PersonName };

/** Longer than the calls of one creation. */
const leaseMs = 30_000;

export type FreeWorkspaces = ReturnType<typeof createFreeWorkspaces>;

/**
 * With open sign-up, each person can create one workspace on the plan `free`, and so can each mailbox: another account
 * with the address of a deleted one cannot, nor one whose address differs in a tag behind "+" only.
 */
export function createFreeWorkspaces(deps: FreeWorkspacesDependencies) {
  const { clock, store, members, organizations, people } = deps;
  const now = () => new Date(clock.now());

  const ownerOf = async (userId: string): Promise<Owner | undefined> => {
    const person = await people.findById(userId);
    if (!person) return undefined;
    const { name, email } = person;
    return { userId, addressHash: sign(deps.secret, 'free-workspace', mailboxKey(email)), person: { name, email } };
  };

  /** Whether the keys service has the workspace of an earlier attempt. */
  const exists = (workspaceId: string, { origin }: WebRequest): Promise<boolean> =>
    deps.keys.getWorkspace(workspaceId, origin).then(
      () => true,
      (error) => {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      },
    );

  /**
   * Creates the workspace with the person as its admin. A failure after each step:
   *
   * 1. Claim the creation for the person and the address. -> The claim ends after its lease.
   * 2. Create the workspace in the keys service. -> A lost response leaves a workspace there that nobody is in and that
   *    has no keys. The next attempt creates another one.
   * 3. Note its id. -> The next attempt continues here, unless the workspace was deleted meanwhile.
   * 4. Make the organization and its member and use the claim up, in one transaction. -> No later attempt makes the person
   *    a member again.
   */
  const create = async (owner: Owner, name: string, webRequest: WebRequest): Promise<string> => {
    const { userId } = owner;
    const claim = await store.claim(owner, now(), leaseMs);
    if (claim === 'finished') throw usedUp();
    if (claim === 'busy') throw beingCreated();
    try {
      const actor = { actor: userId, actorAddress: webRequest.address, actorPerson: owner.person };
      let { workspaceId } = claim;
      if (workspaceId === undefined || !(await exists(workspaceId, webRequest))) {
        workspaceId = (await deps.keys.createWorkspace(name, 'free', actor, webRequest.origin)).id;
        await store.setWorkspace(claim, workspaceId);
      }
      await enter(claim, workspaceId, name, userId);
      return workspaceId;
    } finally {
      await store.release(claim);
    }
  };

  const enter = (claim: FreeWorkspaceClaim, workspaceId: string, name: string, userId: string): Promise<void> =>
    deps.transact(
      async (tx) => {
        const organizationId = await organizations.ensure(workspaceId, name, now(), tx);
        await organizations.ensureMember({ organizationId, userId, role: 'admin' }, now(), tx);
        if (!(await store.finish(claim, workspaceId, now(), tx))) throw beingCreated();
      },
      { retryDuplicateKeys: true },
    );

  return {
    /** Whether the person can create a workspace, and the name that was given at the sign-up. */
    async offer(userId: string): Promise<{ name: string } | undefined> {
      if (!deps.openSignUp) return undefined;
      const owner = await ownerOf(userId);
      if (!owner || (await store.isFinished(owner))) return undefined;
      return { name: (await people.findById(userId))?.workspaceName ?? '' };
    },

    /** The session gets a new token, because its rights change. */
    async create(
      userId: string,
      name: string,
      webRequest: WebRequest,
    ): Promise<{ workspaceId: string; cookies: string[] }> {
      const given = givenWorkspaceName('name', name);
      const owner = deps.openSignUp ? await ownerOf(userId) : undefined;
      if (!owner) throw usedUp();
      const workspaceId = await create(owner, given, webRequest);
      return { workspaceId, cookies: await renewSession(deps.auth, webRequest.headers) };
    },

    /**
     * Creates the workspace that a person asked for when signing up, at the first sign-in.
     * A failure does not prevent the sign-in. The start page then offers to create the workspace.
     */
    async createAtFirstSignIn(userId: string, webRequest: WebRequest): Promise<void> {
      try {
        const [owner, offer] = await Promise.all([ownerOf(userId), this.offer(userId)]);
        if (!owner || !offer || offer.name === '' || (await members.listWorkspaces(userId)).length > 0) return;
        await create(owner, offer.name, webRequest);
      } catch (error) {
        deps.logger.warn(
          { err: error, ...webRequest.origin },
          'the first workspace could not be created at the sign-in',
        );
      }
    },
  };
}

const usedUp = () =>
  new AppError('conflict', 'You have created your free workspace already. Ask an admin for an invitation.');
const beingCreated = () =>
  new AppError('conflict', 'Your workspace is being created. Reload this page in a few seconds.');
