/**
 * With open sign-up, each person can create one workspace on the plan `free`, and so can each mailbox. An account with the address of a
 * deleted account cannot create another one, even if the address differs in a tag behind "+".
 */

import { AppError } from '@shopscope/errors';
import { unlessNotFound } from '@shopscope/grpc';
import type { PersonName } from '../../app/domain/actor.ts';
import { parseWorkspaceName } from '../../app/domain/text.ts';
import type { WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { mailboxKey } from '../domain/mailbox.ts';
import { sign } from '../domain/signature.ts';
import type { FreeWorkspaceClaim, FreeWorkspaceOwner } from '../outbound/free-workspaces.ts';
import { renewSession } from './renew-session.ts';

type Owner = FreeWorkspaceOwner & { person: PersonName };

/** Longer than the calls of one creation take. */
const leaseMs = 30_000;

const now = (deps: Dependencies) => new Date(deps.clock.now());

const ownerOf = async (deps: Dependencies, userId: string): Promise<Owner | undefined> => {
  const person = await deps.people.findById(userId);
  if (!person) return undefined;
  const { name, email } = person;
  return { userId, addressHash: sign(deps.secret, 'free-workspace', mailboxKey(email)), person: { name, email } };
};

/**
 * Creates the workspace with the person as its admin. A failure after each step:
 *
 * 1. Claim the creation for the person and the address. -> The claim ends after its lease.
 * 2. Create the workspace in the keys service. -> A lost response leaves a workspace there that has no members and no keys. The next
 *    attempt creates another one.
 * 3. Store its id in the claim. -> The next attempt continues here, unless the workspace was deleted meanwhile.
 * 4. Create the organization and its member, and use the claim up, in one transaction. -> No later attempt makes the person a member again.
 */
const createFor = async (deps: Dependencies, owner: Owner, name: string, webRequest: WebRequest): Promise<string> => {
  const { userId } = owner;
  // Step 1: the claim.
  const claim = await deps.freeWorkspaces.claim(owner, now(deps), leaseMs);
  if (claim === 'finished') throw usedUp();
  if (claim === 'busy') throw beingCreated();
  try {
    const actor = { actor: userId, actorAddress: webRequest.address, actorPerson: owner.person };
    const { origin } = webRequest;
    let { workspaceId } = claim;
    if (workspaceId === undefined || !(await unlessNotFound(deps.keys.getWorkspace(workspaceId, origin)))) {
      // Step 2: the workspace in the keys service.
      workspaceId = (await deps.keys.createWorkspace({ name, planSlug: 'free', ...actor }, origin)).id;
      // Step 3: its id in the claim.
      await deps.freeWorkspaces.setWorkspace(claim, workspaceId);
    }
    // Step 4: the organization and its member.
    await enter(deps, claim, workspaceId, name, userId);
    return workspaceId;
  } finally {
    await deps.freeWorkspaces.release(claim);
  }
};

const enter = (deps: Dependencies, claim: FreeWorkspaceClaim, workspaceId: string, name: string, userId: string) =>
  deps.transact(
    async (tx) => {
      const organizationId = await deps.organizations.ensure(workspaceId, name, now(deps), tx);
      await deps.organizations.ensureMember({ organizationId, userId, role: 'admin' }, now(deps), tx);
      if (!(await deps.freeWorkspaces.finish(claim, workspaceId, now(deps), tx))) throw beingCreated();
    },
    { retryDuplicateKeys: true },
  );

/** The name that the person gave at the sign-up, if the person can create a workspace. Undefined if not. */
export async function offer(deps: Dependencies, userId: string): Promise<{ name: string } | undefined> {
  if (!deps.openSignUp) return undefined;
  const owner = await ownerOf(deps, userId);
  if (!owner || (await deps.freeWorkspaces.isFinished(owner))) return undefined;
  return { name: (await deps.people.findById(userId))?.workspaceName ?? '' };
}

/** Creates the workspace. The session gets a new token, because its rights change. */
export async function create(deps: Dependencies, userId: string, name: string, webRequest: WebRequest) {
  const given = parseWorkspaceName('name', name);
  const owner = deps.openSignUp ? await ownerOf(deps, userId) : undefined;
  if (!owner) throw usedUp();
  const workspaceId = await createFor(deps, owner, given, webRequest);
  return { workspaceId, cookies: await renewSession(deps.auth, webRequest.headers) };
}

/**
 * Creates the workspace that a person asked for when signing up, at the first sign-in. A failure does not prevent the sign-in. The start
 * page then offers to create the workspace.
 */
export async function createAtFirstSignIn(deps: Dependencies, userId: string, webRequest: WebRequest): Promise<void> {
  try {
    const [owner, offered] = await Promise.all([ownerOf(deps, userId), offer(deps, userId)]);
    if (!owner || !offered || offered.name === '' || (await deps.team.listWorkspaces(userId)).length > 0) return;
    await createFor(deps, owner, offered.name, webRequest);
  } catch (error) {
    deps.logger.warn({ err: error, ...webRequest.origin }, 'the first workspace could not be created at the sign-in');
  }
}

const usedUp = () =>
  new AppError('conflict', 'You have created your free workspace already. Ask an admin for an invitation.');
const beingCreated = () =>
  new AppError('conflict', 'Your workspace is being created. Reload this page in a few seconds.');
