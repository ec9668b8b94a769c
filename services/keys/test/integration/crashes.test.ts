import { createDeadline, createKeyedQueue } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { connectMongo, createTransact, ensureCollections, type Mongo } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { KeyChange, KeyChanged, keyChanged } from '@shopscope/proto';
import { mongoOptions, silentTelemetry, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeSuspension } from '../../src/operations/change-suspension.ts';
import { createKey } from '../../src/operations/create-key.ts';
import { createWorkspace } from '../../src/operations/create-workspace.ts';
import { deleteWorkspace } from '../../src/operations/delete-workspace.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { revokeKey } from '../../src/operations/revoke-key.ts';
import { verifyAuditLog } from '../../src/operations/verify-audit-log.ts';
import { createAuditStore } from '../../src/outbound/mongo/audit-entries.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createKeyRequestStore } from '../../src/outbound/mongo/key-requests.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
import { createPlanStore } from '../../src/outbound/mongo/plans.ts';
import { createWorkspaceStore } from '../../src/outbound/mongo/workspaces.ts';

/** Runs the operations without a process around them, and ends them between two of their steps. */
describe('interrupted changes', () => {
  const namespace = testNamespace('keys-crash');
  const by = { actor: 'usr_1', actorAddress: '' };
  const context = {
    origin: { requestId: 'req_crash', traceparent: '', environment: 'live' as const },
    deadline: createDeadline(10_000),
  };
  let mongo: Mongo;
  let deps: Dependencies;
  let workspaceId: string;

  beforeAll(async () => {
    mongo = await connectMongo(mongoOptions(namespace, 'keys'));
    await ensureCollections(mongo.db, collections);
    const plans = createPlanStore(mongo.db);
    await plans.seed(new Date());
    const outbox = createOutbox(mongo.db);
    deps = {
      clock: systemClock,
      peppers: [{ id: '1', secret: 'a-pepper-of-thirty-two-characters' }],
      mover: { move: () => {} },
      workspaces: createWorkspaceStore(mongo.db),
      plans,
      keys: createKeyStore(mongo.db),
      keyRequests: createKeyRequestStore(mongo.db),
      audit: createAuditStore(mongo.db),
      transact: createTransact(mongo),
      changes: createKeyedQueue(),
      appendEvents(tx, meta, ...changes) {
        const events = changes.map((change) => ({ event: KeyChanged.fromPartial(change), meta }));
        return outbox.appendMany(tx.session, keyChanged, events);
      },
    };
    workspaceId = (await createWorkspace(deps, { name: 'Acme', planSlug: 'free', ...by }, context)).id;
  });
  afterAll(async () => {
    await mongo?.close();
    await namespace.cleanup();
  });

  const newKey = async () => {
    const input = { workspaceId, label: 'ci', preset: 'read_only', scopes: [], expiresAtMs: undefined };
    return (await createKey(deps, { ...input, ...by, requestToken: '' }, context)).key.id;
  };
  const stateOf = async (keyId: string) => ({
    revoked:
      (await mongo.db.collection<{ _id: string; revokedAt: Date | null }>('keys').findOne({ _id: keyId }))
        ?.revokedAt !== null,
    audited: await mongo.db.collection('audit_entries').countDocuments({ subjectId: keyId, action: 'key.revoked' }),
    events: (await mongo.db.collection('outbox').find().toArray())
      .map(({ value }) => keyChanged.decode(value.buffer))
      .filter((event) => event.keyId === keyId).length,
  });
  const end = () => Promise.reject(new Error('the process ended here'));
  let deathsAt: Record<string, Partial<Dependencies>>;
  beforeAll(() => {
    deathsAt = {
      'its audit entry': { audit: { ...deps.audit, append: end } },
      'its event': { appendEvents: end },
      'its commit': {
        transact: (work, timeoutMs) => deps.transact((tx) => work(tx).then(end), timeoutMs),
      },
    };
  });

  it.each(['its audit entry', 'its event', 'its commit'])(
    'a revocation that ends at %s changes neither key, audit log nor outbox, and succeeds when it is repeated',
    async (at) => {
      const keyId = await newKey();
      const before = await stateOf(keyId);
      const dying = { ...deps, ...deathsAt[at] };
      await expect(revokeKey(dying, { workspaceId, keyId, ...by }, context)).rejects.toThrow('ended here');
      expect(await stateOf(keyId)).toEqual(before);
      await revokeKey(deps, { workspaceId, keyId, ...by }, context);
      expect(await stateOf(keyId)).toEqual({ revoked: true, audited: 1, events: before.events + 1 });
    },
  );

  it.each(['its audit entry', 'its event', 'its commit'])(
    'a suspension that ends at %s changes neither workspace, audit log nor outbox, and succeeds when it is repeated',
    async (at) => {
      const workspace = await createWorkspace(deps, { name: at, planSlug: 'free', ...by }, context);
      const suspension = async () => {
        const events = (await mongo.db.collection('outbox').find().toArray()).map(({ value }) =>
          keyChanged.decode(value.buffer),
        );
        return {
          suspended: (await deps.workspaces.find(workspace.id, 10_000))?.suspendedAt !== null,
          audited: (await deps.audit.list(workspace.id, '', 10, 10_000)).map(({ action }) => action),
          events: events.filter((event) => event.workspaceId === workspace.id).map(({ change }) => change),
        };
      };
      const input = { workspaceId: workspace.id, suspended: true, actor: 'usr_1' };
      const dying = { ...deps, ...deathsAt[at] };
      await expect(changeSuspension(dying, input, context)).rejects.toThrow('ended here');
      expect(await suspension()).toEqual({ suspended: false, audited: ['workspace.created'], events: [] });
      await changeSuspension(deps, input, context);
      expect(await suspension()).toEqual({
        suspended: true,
        audited: ['workspace.suspended', 'workspace.created'],
        events: [KeyChange.WORKSPACE_SUSPENDED],
      });
    },
  );

  it.each(['its audit entry', 'its event', 'its commit'])(
    'a deletion that ends at %s leaves the workspace, its keys and the chain as they were, and succeeds when it is repeated',
    async (at) => {
      const { id } = await createWorkspace(deps, { name: at, planSlug: 'free', ...by }, context);
      const key = { workspaceId: id, label: 'ci', preset: 'full', scopes: [], expiresAtMs: undefined };
      for (let n = 0; n < 3; n++) await createKey(deps, { ...key, ...by, requestToken: '' }, context);
      const state = async () => ({
        workspace: await deps.workspaces.find(id, 10_000),
        keys: await deps.keys.listLive({ workspaceId: id, environment: null, limit: 10, maxTimeMS: 10_000 }),
        head: await deps.transact((tx) => deps.audit.head(id, tx)),
        events: await mongo.db.collection('outbox').countDocuments({ key: id }),
      });
      const before = await state();
      const dying = { ...deps, ...deathsAt[at] };
      await expect(deleteWorkspace(dying, { workspaceId: id, ...by }, context)).rejects.toThrow('ended here');
      expect(await state()).toEqual(before);
      expect(await deleteWorkspace(deps, { workspaceId: id, ...by }, context)).toBe(3);
      expect(await state()).toMatchObject({ workspace: null, keys: [], head: { sequence: 8 }, events: 7 });
      // The chain has no gap where the interrupted deletion began.
      expect(await verifyAuditLog(deps, id, context)).toEqual({ entries: 8, unchainedEntries: 0, fault: undefined });
    },
  );

  it('a repeated call finds the key of its request token before that key is visible outside the transaction', async () => {
    const input = { workspaceId, label: 'ci', preset: 'full', scopes: [], expiresAtMs: undefined };
    const call = { ...input, ...by, requestToken: 'form-of-one-transaction' };
    const [first, repeated] = await deps.transact(async (tx) => {
      const within = { ...deps, transact: ((work) => work(tx)) as Dependencies['transact'] };
      return [await createKey(within, call, context), await createKey(within, call, context)];
    });
    expect(first?.secret).not.toBe('');
    expect(repeated).toEqual({ key: first?.key, secret: '' });
  });

  it('after a process that died between commit and publication, the next relay publishes the event', async () => {
    const keyId = await newKey();
    await revokeKey(deps, { workspaceId, keyId, ...by }, context);
    expect(await stateOf(keyId)).toMatchObject({ revoked: true, events: 2 });
    const published: string[] = [];
    const relay = startOutboxRelay({
      db: mongo.db,
      outbox: createOutbox(mongo.db),
      producer: {
        publishEach: async (_: string, records: readonly { value: Uint8Array }[]) => {
          published.push(...records.map(({ value }) => keyChanged.decode(value).keyId));
          return [];
        },
      } as never,
      ...silentTelemetry(),
      instanceId: 'next',
    });
    await vi.waitFor(() => expect(published.filter((id) => id === keyId)).toHaveLength(2), { timeout: 60_000 });
    await relay.stop();
    expect(await stateOf(keyId)).toMatchObject({ events: 0 });
  });
});
