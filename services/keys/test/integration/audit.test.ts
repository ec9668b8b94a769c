import { ManualClock } from '@shopscope/clock';
import { KeyChange, keyChanged } from '@shopscope/proto';
import { nightlyUnless } from '@shopscope/testing';
import type { Document } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeActions } from '../../src/domain/audit-entry.ts';
import { createHarness, type KeysClient, type KeysHarness, type Rpc } from './harness.ts';
import { call, changing, contentsOf, newScene, reading, rpcs, type Scene } from './rpcs.ts';

describe('audit log', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let scene: Scene;

  beforeAll(async () => {
    harness = await createHarness('audit', clock, { holdOutbox: true });
    client = (await harness.start()).client;
    scene = await newScene(client);
  });
  afterAll(() => harness?.stop());
  beforeEach(() => clock.advance(1));
  /** For groups of tests whose calls change the scene: each test gets a new scene. */
  const renewSceneAfterEach = () =>
    afterEach(async () => {
      scene = await newScene(client);
    });

  const requestOf = (name: Rpc) => rpcs[name].request(scene);
  /** Returns the collections that each transaction since `ts` wrote to. A write outside a transaction is an element of its own. */
  const writesSince = async (ts: unknown) => {
    const inside = { $regex: `^${harness.db.databaseName}\\.` };
    const written = await oplog()
      .find({ ts: { $gt: ts }, $or: [{ ns: inside }, { 'o.applyOps.ns': inside }] })
      .toArray();
    const collectionOf = (ns: string) => ns.slice(harness.db.databaseName.length + 1);
    return written.map(({ ns, o }) => (o.applyOps ?? [{ ns }]).map((each: { ns: string }) => collectionOf(each.ns)));
  };
  const oplog = () => harness.db.client.db('local').collection('oplog.rs');
  /** Runs the call and returns its answer with the audit entries and events that it added. */
  const addedBy = async (name: Rpc, request: object = requestOf(name)) => {
    const entries = harness.db.collection('audit_entries');
    const rows = harness.db.collection('outbox');
    const known = async (of: typeof rows) => (await of.find().toArray()).map(({ _id }) => _id);
    const [knownEntries, knownRows] = [await known(entries), await known(rows)];
    const [latest] = await oplog().find().sort({ $natural: -1 }).limit(1).toArray();
    const answer = await call(client, name, request);
    const added = (of: typeof rows, before: typeof knownRows) => of.find({ _id: { $nin: before } }).toArray();
    return {
      answer,
      transactions: await writesSince(latest?.ts),
      entries: (await added(entries, knownEntries)).map(({ _id, ...entry }) => entry),
      events: (await added(rows, knownRows)).map(({ value }) => keyChanged.decode(value.buffer)),
    };
  };
  const expectNothingWritten = async (name: Rpc, request: object, refusal: object) => {
    const before = await contentsOf(harness.db);
    await expect(call(client, name, request)).rejects.toMatchObject(refusal);
    expect(await contentsOf(harness.db)).toEqual(before);
  };

  describe('calls that succeed', () => {
    renewSceneAfterEach();

    it.each(changing)(
      '%s writes its change, an audit entry for each thing it changes, and its events in one transaction',
      async (name) => {
        const { answer, transactions, entries, events } = await addedBy(name, {
          ...requestOf(name),
          actor: ' usr_auditor ',
        });
        expect(transactions).toHaveLength(1);
        // A recorded entry is of a change outside the service.
        const changes = name === 'recordAuditEntry' ? /^audit_entries$/ : /^(keys|plans|workspaces)$/;
        expect(transactions[0]).toEqual(
          expect.arrayContaining(['audit_entries', 'audit_heads', expect.stringMatching(changes)]),
        );
        const expected = rpcs[name].audit?.(scene, answer as never) ?? [];
        const by = { actor: 'usr_auditor', at: new Date(clock.now()) };
        const sorted = (all: object[]) =>
          all.map((each) => JSON.stringify(each, ['action', 'workspaceId', 'subjectId', 'actor', 'at'])).sort();
        expect(sorted(entries)).toEqual(sorted(expected.map((each) => ({ ...each, ...by }))));
        expect(events.map(({ change, atMs }) => [change, atMs])).toEqual(
          (rpcs[name].events ?? []).map((kind) => [kind, clock.now()]),
        );
        const { entries: listed } = await client.listAuditEntries({
          workspaceId: expected[0]?.workspaceId ?? '',
          beforeId: '',
          limit: expected.length,
        });
        expect(listed.map(({ subjectId }) => subjectId).sort()).toEqual(
          expected.map(({ subjectId }) => subjectId).sort(),
        );
        expect(listed.every((entry) => entry.atMs === clock.now() && entry.actor === 'usr_auditor')).toBe(true);
      },
    );

    // People have addresses, and operators have none.
    const noScene = { key: {}, plan: {} } as Scene;
    const byPeople = changing.filter((name) => 'actorAddress' in rpcs[name].request(noScene));
    it.each(byPeople)('%s records what the person was called at that time', async (name) => {
      const actorPerson = { name: 'Ann Bee', email: 'ann@acme.example' };
      const { entries } = await addedBy(name, { ...requestOf(name), actor: 'usr_ann', actorPerson });
      const recorded = { actor: 'usr_ann', actorName: 'Ann Bee', actorEmail: 'ann@acme.example' };
      expect(entries).toEqual(entries.map(() => expect.objectContaining(recorded)));
      const { workspaceId } = entries[0] as unknown as { workspaceId: string };
      const { entries: listed } = await client.listAuditEntries({ workspaceId, beforeId: '', limit: entries.length });
      expect(listed).toEqual(
        entries.map(() => expect.objectContaining({ ...recorded, subjectName: '', subjectEmail: '' })),
      );
    });

    it.each(changing)('%s records no name of an operator', async (name) => {
      const { entries } = await addedBy(name);
      const none = { actorName: '', actorEmail: '', subjectName: '', subjectEmail: '' };
      expect(entries).toEqual(entries.map(() => expect.objectContaining(none)));
    });

    it('RecordAuditEntry records what the subject was called, and cleans both names', async () => {
      const request = {
        ...requestOf('recordAuditEntry'),
        subjectId: 'usr_bee',
        actorPerson: { name: `Ann\u202e\n${'x'.repeat(200)}`, email: 'ann@acme.example\u200b' },
        subjectPerson: { name: 'بيان\u200f', email: 'bee@acme.example' },
      };
      const answer = await call(client, 'recordAuditEntry', request);
      expect(answer).toMatchObject({
        entry: {
          actorName: `Ann ${'x'.repeat(96)}`,
          actorEmail: 'ann@acme.example',
          subjectName: 'بيان',
          subjectEmail: 'bee@acme.example',
        },
      });
      expect(await call(client, 'recordAuditEntry', request)).toEqual(answer);
      const other = { ...request, subjectPerson: { name: 'Bee', email: 'bee@acme.example' } };
      await expect(call(client, 'recordAuditEntry', other)).rejects.toMatchObject({ code: 'conflict' });
    });

    it.each(['revokeKey', 'renameWorkspace', 'suspendWorkspace', 'resumeWorkspace'] as const)(
      '%s adds an event for a repeated call and writes no second audit entry',
      async (name) => {
        await call(client, name, requestOf(name));
        const state = async () => ({ ...(await contentsOf(harness.db)), outbox: [] });
        const before = await state();
        clock.advance(1);
        const { events } = await addedBy(name);
        expect(events.map(({ change }) => change)).toEqual(rpcs[name].events);
        expect(await state()).toEqual(before);
      },
    );

    it('DeleteWorkspace adds an event for a repeated call and writes no second audit entry', async () => {
      expect(await call(client, 'deleteWorkspace', requestOf('deleteWorkspace'))).toEqual({ revokedKeys: 1 });
      const state = async () => ({ ...(await contentsOf(harness.db)), outbox: [] });
      const before = await state();
      clock.advance(1);
      const { answer, events } = await addedBy('deleteWorkspace');
      expect(answer).toEqual({ revokedKeys: 0 });
      expect(events.map(({ change }) => change)).toEqual([KeyChange.WORKSPACE_DELETED]);
      expect(await state()).toEqual(before);
    });

    it('RecordAuditEntry writes nothing for a repeated call, and returns the first entry', async () => {
      const request = requestOf('recordAuditEntry');
      const first = await call(client, 'recordAuditEntry', request);
      const before = await contentsOf(harness.db);
      clock.advance(1);
      expect(await call(client, 'recordAuditEntry', request)).toEqual(first);
      expect(await contentsOf(harness.db)).toEqual(before);
    });

    it('SetUpWorkspace of a name that exists writes nothing', async () => {
      await call(client, 'setUpWorkspace', requestOf('setUpWorkspace'));
      const before = await contentsOf(harness.db);
      expect(await call(client, 'setUpWorkspace', requestOf('setUpWorkspace'))).toMatchObject({ created: false });
      expect(await contentsOf(harness.db)).toEqual(before);
    });
  });

  it.each(reading)('%s writes nothing', async (name) => {
    const before = await contentsOf(harness.db);
    await call(client, name, requestOf(name));
    expect(await contentsOf(harness.db)).toEqual(before);
  });

  it.each(changing)('%s writes nothing when its actor is refused', async (name) => {
    await expectNothingWritten(name, { ...requestOf(name), actor: ' ' }, { code: 'invalid_request' });
  });

  const impossible: [Rpc, string, (scene: Scene) => object, code: string][] = [
    ['createWorkspace', 'its plan does not exist', () => ({ planSlug: 'none' }), 'invalid_request'],
    ['setWorkspacePlan', 'its plan does not exist', () => ({ planSlug: 'none' }), 'invalid_request'],
    ['setWorkspacePlan', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['setUpWorkspace', 'its plan does not exist', () => ({ planSlug: 'none' }), 'invalid_request'],
    ['suspendWorkspace', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['resumeWorkspace', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['putPlan', 'a limit is out of range', ({ plan }) => ({ plan: { ...plan, rpm: 0 } }), 'invalid_request'],
    ['createPlan', 'its slug exists', ({ plan }) => ({ plan }), 'conflict'],
    ['updatePlan', 'its plan does not exist', () => ({ slug: 'none' }), 'not_found'],
    ['deletePlan', 'its plan does not exist', () => ({ slug: 'none' }), 'not_found'],
    ['deletePlan', 'a workspace is on its plan', () => ({ slug: 'free' }), 'conflict'],
    ['createKey', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['revokeKey', 'its key does not exist', () => ({ keyId: 'key_none' }), 'not_found'],
    ['renameWorkspace', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['deleteWorkspace', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['recordAuditEntry', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['verifyAuditLog', 'its workspace does not exist', () => ({ workspaceId: 'ws_none' }), 'not_found'],
    ['revokeKey', 'its key is of another workspace', ({ suspendedId }) => ({ workspaceId: suspendedId }), 'not_found'],
  ];
  it.each(impossible)('%s writes nothing when %s', async (name, _, over, code) => {
    await expectNothingWritten(name, { ...requestOf(name), ...over(scene) }, { code });
  });

  describe('calls of which the database refuses one write', () => {
    /** Sets the validator of the collection. A validator that no document meets makes the server refuse every insert. */
    const refuseInserts = (collection: string, validator: Document) =>
      harness.db.command({ collMod: collection, validator });
    renewSceneAfterEach();
    const nothing = { _id: { $exists: false } };
    afterEach(async () => {
      for (const collection of ['audit_entries', 'outbox']) await refuseInserts(collection, {});
    });

    it.each(changing)('%s changes nothing without its audit entry, and succeeds when it is repeated', async (name) => {
      await refuseInserts('audit_entries', nothing);
      await expectNothingWritten(name, requestOf(name), { code: 'internal' });
      await refuseInserts('audit_entries', {});
      expect((await addedBy(name)).entries).not.toEqual([]);
    });

    // By day, one RPC stands for the others, because each writes its entries and its events in one transaction.
    for (const name of changing.filter((each) => rpcs[each].events)) {
      const title = `${name} changes nothing without its events, and succeeds when it is repeated`;
      it(title, nightlyUnless(name === 'createKey'), async () => {
        await refuseInserts('outbox', nothing);
        await expectNothingWritten(name, requestOf(name), { code: 'internal' });
        await refuseInserts('outbox', {});
        expect((await addedBy(name)).events).toHaveLength(rpcs[name].events?.length ?? 0);
      });
    }
  });

  it('every kind of audit entry and every kind of event belongs to an RPC of this table', () => {
    const actions = changing
      .flatMap((name) => rpcs[name].audit?.(scene, {} as never) ?? [])
      .map(({ action }) => action);
    // Recorded actions have one RPC.
    expect(new Set(actions)).toEqual(new Set([...changeActions, 'member.invited']));
    const events = changing.flatMap((name) => rpcs[name].events ?? []);
    // The timer publishes it.
    const ofRpcs = Object.values(KeyChange).filter((kind) => Number(kind) > 0 && kind !== KeyChange.KEY_EXPIRING);
    expect(new Set(events)).toEqual(new Set(ofRpcs));
  });
});
