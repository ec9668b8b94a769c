import { connectMongo, createTransact, ensureCollections, type Mongo, type Transact, type Tx } from '@shopscope/mongo';
import { mongoOptions, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authCollections } from '../../src/people/outbound/auth-collections.ts';
import { createInvitationStore, type InvitationStore } from '../../src/people/outbound/invitations.ts';
import { createOrganizationStore, type OrganizationStore } from '../../src/people/outbound/organizations.ts';

/**
 * Each order of the steps of two transactions: one of them removes an admin, the other one stores or accepts an invitation of that
 * admin. A gate holds one transaction between two steps until the other one has committed, or has met the first one's write.
 */
const namespace = testNamespace('races');
const now = new Date();
const expiresAt = new Date(now.getTime() + 86_400_000);
const guest = { userId: 'usr_guest', email: 'guest@example.com' };

let mongo: Mongo;
let organizations: OrganizationStore;
let ids = 0;
const newId = () => `id-${++ids}`;

beforeAll(async () => {
  mongo = await connectMongo(mongoOptions(namespace, 'dashboard'));
  await ensureCollections(mongo.db, authCollections);
  organizations = createOrganizationStore(mongo.db, createTransact(mongo), newId);
});
afterAll(async () => {
  await mongo.close();
  await namespace.cleanup();
});

/** The first call waits until it is opened. */
function createGate() {
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let calls = 0;
  return {
    arrived: arrived.promise,
    open: opened.resolve,
    calls: () => calls,
    async pass(): Promise<void> {
      if (++calls > 1) return;
      arrived.resolve();
      await opened.promise;
    },
  };
}

/** Invitations whose transactions call `beforeLock` after their snapshot and before they lock the members. */
function invitationsWith(beforeLock: (tx: Tx) => Promise<void>): InvitationStore {
  const lockMembers = async (organizationId: string, tx: Tx) => {
    // The first read of a transaction makes its snapshot.
    await mongo.db.collection('member').findOne({ organizationId }, tx);
    await beforeLock(tx);
    return organizations.lockMembers(organizationId, tx);
  };
  const stores = { ...organizations, lockMembers };
  return createInvitationStore({
    db: mongo.db,
    transact: createTransact(mongo),
    organizations: stores,
    newId,
  });
}
const nothing = async () => {};

/** A workspace with the inviter and another admin, and an invitation of the inviter. */
async function startWorkspace() {
  const organizationId = await organizations.ensure(newId(), 'Acme', now);
  const [inviterId, otherId] = [`usr_inviter${++ids}`, `usr_other${ids}`];
  for (const userId of [inviterId, otherId]) {
    await organizations.addMember({ organizationId, userId, role: 'admin' }, now);
  }
  const given = { organizationId, email: guest.email, role: 'admin', inviterId, expiresAt };
  const invite = (store: InvitationStore, inTransaction = nothing) => store.insert(given, now, inTransaction);
  const isMember = async () =>
    (await mongo.db.collection('member').countDocuments({ organizationId, userId: guest.userId })) === 1;
  const statuses = async () =>
    (await mongo.db.collection('invitation').find({ organizationId }).toArray()).map(({ status }) => status);
  const remove = (inTransaction = nothing) => organizations.removeMember(organizationId, inviterId, inTransaction);
  return { organizationId, inviterId, invite, isMember, statuses, remove };
}

async function invited(world: Awaited<ReturnType<typeof startWorkspace>>): Promise<string> {
  const stored = await world.invite(invitationsWith(nothing));
  return typeof stored === 'string' ? '' : stored.id;
}

/** The removal of the inviter. `runs` counts how often its transaction has begun. */
function removalOf(
  { organizationId, inviterId }: { organizationId: string; inviterId: string },
  runs: { calls: number },
) {
  const transact = createTransact(mongo);
  const counting: Transact = (work, options) =>
    transact((tx) => {
      runs.calls++;
      return work(tx);
    }, options);
  return createOrganizationStore(mongo.db, counting, newId).removeMember(organizationId, inviterId);
}

describe('acceptance of an invitation', () => {
  it('an acceptance that has read before the removal commits, and continues afterwards, is refused', async () => {
    const world = await startWorkspace();
    const id = await invited(world);
    const gate = createGate();
    const acceptance = invitationsWith(gate.pass).accept(id, guest, now, nothing);
    await gate.arrived;
    expect(await world.remove()).toMatchObject({ outcome: 'done', withdrawn: [guest.email] });
    gate.open();
    expect(await acceptance).toBeUndefined();
    expect([await world.isMember(), await world.statuses()]).toEqual([false, ['canceled']]);
  });

  it('an acceptance that comes while the removal has not committed waits for it, and is refused', async () => {
    const world = await startWorkspace();
    const id = await invited(world);
    const [removing, accepting] = [createGate(), { calls: 0 }];
    const removal = world.remove(removing.pass);
    await removing.arrived;
    const store = invitationsWith(async () => {
      accepting.calls++;
    });
    const acceptance = store.accept(id, guest, now, nothing);
    await waitUntil('the acceptance meets the removal', () => accepting.calls >= 2);
    removing.open();
    expect(await removal).toMatchObject({ outcome: 'done' });
    expect(await acceptance).toBeUndefined();
    expect([await world.isMember(), await world.statuses()]).toEqual([false, ['canceled']]);
  });

  it('an acceptance that has not committed makes the removal wait: the person was invited by an admin', async () => {
    const world = await startWorkspace();
    const id = await invited(world);
    const [accepting, removing] = [createGate(), { calls: 0 }];
    const acceptance = invitationsWith(nothing).accept(id, guest, now, accepting.pass);
    await accepting.arrived;
    const removal = removalOf(world, removing);
    await waitUntil('the removal meets the acceptance', () => removing.calls >= 2);
    accepting.open();
    expect(await acceptance).toBe('joined');
    expect(await removal).toMatchObject({ outcome: 'done', withdrawn: [] });
    expect([await world.isMember(), await world.statuses()]).toEqual([true, ['accepted']]);
  });
});

describe('transaction of an acceptance', () => {
  it('the transaction of an acceptance checks the right of the inviter, the expiry and the workspace itself', async () => {
    const { db } = mongo;
    for (const spoil of [
      ({ inviterId }) =>
        db.collection('member').updateOne({ userId: inviterId as never }, { $set: { role: 'member' } }),
      ({ inviterId }) => db.collection('member').deleteOne({ userId: inviterId as never }),
      ({ organizationId }) => db.collection('invitation').updateOne({ organizationId }, { $set: { expiresAt: now } }),
      ({ organizationId }) => db.collection('organization').deleteOne({ _id: organizationId as never }),
    ] as ((world: { inviterId: string; organizationId: string }) => Promise<unknown>)[]) {
      const world = await startWorkspace();
      const id = await invited(world);
      await spoil(world);
      expect(await invitationsWith(nothing).accept(id, guest, now, nothing)).toBeUndefined();
      expect(await world.isMember()).toBe(false);
    }
  });
});

describe('new invitations', () => {
  it('a new invitation that has read before the removal commits is withdrawn by it or never stored', async () => {
    const world = await startWorkspace();
    const gate = createGate();
    const isAdmin = async (tx: Tx) => {
      const found = await mongo.db.collection('member').findOne({ userId: world.inviterId }, tx);
      if (found?.role !== 'admin') throw new Error('no admin');
    };
    const storing = world.invite(invitationsWith(gate.pass), isAdmin as typeof nothing);
    await gate.arrived;
    expect(await world.remove()).toMatchObject({ outcome: 'done', withdrawn: [] });
    gate.open();
    await expect(storing).rejects.toThrow('no admin');
    expect(await world.statuses()).toEqual([]);
  });

  it('a new invitation that has not committed is seen by the removal, which withdraws it', async () => {
    const world = await startWorkspace();
    const [storing, removing] = [createGate(), { calls: 0 }];
    const stored = world.invite(invitationsWith(nothing), storing.pass);
    await storing.arrived;
    const removal = removalOf(world, removing);
    await waitUntil('the removal meets the invitation', () => removing.calls >= 2);
    storing.open();
    await stored;
    const outcome = await removal;
    const withdrawn = outcome.outcome === 'done' ? outcome.withdrawn : [];
    expect([withdrawn, await world.statuses()]).toEqual([[guest.email], ['canceled']]);
  });
});
