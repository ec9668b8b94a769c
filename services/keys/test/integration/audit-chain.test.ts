import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { createTransact } from '@shopscope/mongo';
import { Binary, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChainedEntry, chained } from '../../src/domain/audit-chain.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { verifyAuditLog } from '../../src/operations/verify-audit-log.ts';
import { createAuditStore } from '../../src/outbound/mongo/audit-entries.ts';
import { actor, by, createHarness, type KeysClient, type KeysHarness, newKey, newWorkspace } from './harness.ts';

describe('hash chain of an audit log', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let clients: [KeysClient, KeysClient];
  let client: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('audit-chain', clock, { holdOutbox: true });
    clients = [(await harness.start()).client, (await harness.start()).client];
    client = clients[0];
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    clock.advance(1);
    workspaceId = await newWorkspace(client);
  });

  const entries = () => harness.db.collection<{ _id: string } & Document>('audit_entries');
  const heads = () => harness.db.collection<{ _id: string } & Document>('audit_heads');
  const sequences = async (of = workspaceId) =>
    (await entries().find({ workspaceId: of }).sort({ sequence: 1 }).toArray()).map(({ sequence }) => sequence);
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const verify = (of = workspaceId) => client.verifyAuditLog({ workspaceId: of });
  const record = (of: KeysClient, detail: string, over: object = {}) =>
    of.recordAuditEntry({
      id: newId('aud', clock.now()),
      workspaceId,
      ...by,
      action: 'member.invited',
      subjectId: 'usr_2',
      detail,
      ...over,
    });
  /** The workspace has its first entry and `count - 1` more. */
  const fillTo = async (count: number) => {
    for (let n = 2; n <= count; n++) await record(client, `invitation ${n}`);
  };
  const intact = { brokenSequence: undefined, fault: '' };

  it('an audit chain has no gap and no fault after concurrent changes of every kind through two instances', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => newKey(client, workspaceId)));
    const of = (n: number) => clients[n % 2] as KeysClient;
    await Promise.all([
      ...keys.map(({ id }, n) => of(n).revokeKey({ workspaceId, keyId: id, ...by })),
      ...upTo(6).map((n) => newKey(of(n), workspaceId)),
      ...upTo(6).map((n) => record(of(n), `concurrent ${n}`)),
      ...upTo(4).map((n) => of(n).renameWorkspace({ workspaceId, name: `Name ${n}`, ...by })),
      ...['starter', 'growth'].map((planSlug, n) => of(n).setWorkspacePlan({ workspaceId, planSlug, actor })),
      clients[0].suspendWorkspace({ workspaceId, actor }),
      clients[1].suspendWorkspace({ workspaceId, actor }),
    ]);
    // One creation of the workspace, and one suspension that changed something.
    const count = 1 + 4 + 4 + 6 + 6 + 4 + 2 + 1;
    expect(await sequences()).toEqual(upTo(count));
    expect(await verify()).toEqual({ entries: count, unchainedEntries: 0, ...intact });
  });

  it('each workspace has an audit chain of its own, and the changes that concern all workspaces have one', async () => {
    const rpms = [41, 42, 43, 44, 45, 46];
    await Promise.all(rpms.map((rpm, n) => clients[n % 2]?.updatePlan({ slug: 'free', rpm, actor })));
    expect(await sequences('')).toEqual(upTo((await sequences('')).length));
    expect(await verify('')).toMatchObject(intact);
    expect(await sequences()).toEqual([1]);
  });

  it('an audit chain has no gap after a change that failed', async () => {
    await fillTo(2);
    await harness.db.command({ collMod: 'outbox', validator: { _id: { $exists: false } } });
    await expect(newKey(client, workspaceId)).rejects.toMatchObject({ code: 'internal' });
    await harness.db.command({ collMod: 'outbox', validator: {} });
    await newKey(client, workspaceId);
    expect(await sequences()).toEqual([1, 2, 3]);
    expect(await verify()).toMatchObject({ entries: 3, ...intact });
  });

  it('ListAuditEntries shows the sequences and hashes of the audit chain', async () => {
    await fillTo(3);
    const { entries: listed } = await client.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
    expect(listed.map(({ sequence }) => sequence).toSorted()).toEqual([1, 2, 3]);
    expect(listed.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('VerifyAuditLog checks more entries than one read returns, while entries are added', async () => {
    const store = createAuditStore(harness.db);
    const transact = createTransact({ client: harness.db.client });
    const made: ChainedEntry[] = [];
    for (let n = 1; n <= 2_100; n++) {
      const who = { workspaceId, actor, actorAddress: '', action: 'usage.exported', subjectId: 'usr_2' } as const;
      const persons = { actorName: '', actorEmail: '', subjectName: '', subjectEmail: '' };
      const entry = { ...who, ...persons, id: newId('aud'), detail: `export ${n}`, at: new Date(clock.now()) };
      made.push(chained(made.at(-1) ?? (await transact((tx) => store.head(workspaceId, tx))), entry));
    }
    await transact((tx) => store.append(made, tx));
    const [verified] = await Promise.all([verify(), ...upTo(5).map((n) => record(clients[1], `meanwhile ${n}`))]);
    expect(verified).toMatchObject(intact);
    expect(verified.entries).toBeGreaterThanOrEqual(2_101);
    await entries().updateOne({ workspaceId, sequence: 2_050 }, { $set: { actor: 'usr_9' } });
    expect(await verify()).toMatchObject({ entries: 2_049, brokenSequence: 2_050, fault: 'changed' });
  });

  it('VerifyAuditLog reads no further entries once the deadline of its call has passed', async () => {
    await fillTo(2);
    const audit = createAuditStore(harness.db);
    let reads = 0;
    const deps = {
      transact: createTransact({ client: harness.db.client }),
      audit: {
        ...audit,
        async countUnchained(...args: Parameters<typeof audit.countUnchained>) {
          const count = await audit.countUnchained(...args);
          clock.advance(10_000);
          return count;
        },
        async listChain(...args: Parameters<typeof audit.listChain>) {
          const found = await audit.listChain(...args);
          reads += 1;
          return found;
        },
      },
    } as unknown as Dependencies;
    const context = {
      origin: { requestId: '', traceparent: '', environment: 'live' as const },
      deadline: createDeadline(10_000, { clock }),
    };
    await expect(verifyAuditLog(deps, workspaceId, context)).rejects.toMatchObject({ code: 'internal' });
    expect(reads).toBe(0);
  });

  describe('VerifyAuditLog', () => {
    const at = (sequence: number) => ({ workspaceId, sequence });
    beforeEach(() => fillTo(5));

    it.each<[string, Document]>([
      ['actor', { actor: 'usr_9' }],
      ['address', { actorAddress: '198.51.100.7' }],
      ['name of the actor', { actorName: 'Admin' }],
      ['mail address of the subject', { subjectEmail: 'admin@acme.example' }],
      ['action', { action: 'member.removed' }],
      ['subject', { subjectId: 'usr_9' }],
      ['detail', { detail: 'nothing' }],
      ['time', { at: new Date(0) }],
      ['time of another type', { at: 'yesterday' }],
      ['hash', { hash: new Binary(Buffer.alloc(32)) }],
      ['hash of another type', { hash: 'none' }],
    ])('VerifyAuditLog shows an entry with another %s', async (_, change) => {
      await entries().updateOne(at(3), { $set: change });
      expect(await verify()).toMatchObject({ entries: 2, brokenSequence: 3, fault: 'changed' });
    });

    it('VerifyAuditLog shows an entry with a removed member', async () => {
      await entries().updateOne(at(3), { $unset: { actor: '' } });
      expect(await verify()).toMatchObject({ brokenSequence: 3, fault: 'changed' });
      await entries().updateOne(at(2), { $unset: { sequence: '', hash: '' } });
      expect(await verify()).toMatchObject({ unchainedEntries: 1, brokenSequence: 2, fault: 'missing' });
    });

    it.each<[string, number, string]>([
      ['first', 1, 'missing'],
      ['middle', 3, 'missing'],
      ['last', 5, 'head'],
    ])('VerifyAuditLog shows that the %s entry is missing', async (_, sequence, fault) => {
      await entries().deleteOne(at(sequence));
      expect(await verify()).toMatchObject({ entries: sequence - 1, brokenSequence: sequence, fault });
    });

    it('VerifyAuditLog shows that the latest entries or all entries are missing', async () => {
      await entries().deleteMany({ workspaceId, sequence: { $gt: 2 } });
      expect(await verify()).toMatchObject({ entries: 2, brokenSequence: 3, fault: 'head' });
      await entries().deleteMany({ workspaceId });
      expect(await verify()).toMatchObject({ entries: 0, brokenSequence: 1, fault: 'head' });
    });

    it('VerifyAuditLog shows a head that was set back or removed', async () => {
      const third = await entries().findOne(at(3));
      await heads().updateOne({ _id: workspaceId }, { $set: { sequence: 3, hash: third?.hash } });
      expect(await verify()).toMatchObject({ brokenSequence: 4, fault: 'head' });
      await heads().deleteOne({ _id: workspaceId });
      expect(await verify()).toMatchObject({ brokenSequence: 1, fault: 'head' });
    });

    it('VerifyAuditLog shows a last entry that was written again with a fitting hash', async () => {
      const [fourth, last] = await entries()
        .find({ workspaceId, sequence: { $gte: 4 } })
        .sort({ sequence: 1 })
        .toArray();
      const { _id, hash: _, sequence: __, ...members } = last as Document;
      const before = { sequence: 4, hash: Buffer.from(fourth?.hash.buffer) };
      const { hash } = chained(before, { ...(members as ChainedEntry), id: _id, actor: 'usr_9' });
      await entries().updateOne(at(5), { $set: { actor: 'usr_9', hash: new Binary(hash) } });
      expect(await verify()).toMatchObject({ brokenSequence: 5, fault: 'changed' });
    });

    it('VerifyAuditLog shows an entry that was moved to another workspace, in both workspaces', async () => {
      const other = await newWorkspace(client);
      await entries().deleteOne(at(1));
      await entries().updateOne({ workspaceId: other, sequence: 1 }, { $set: { workspaceId } });
      expect(await verify()).toMatchObject({ brokenSequence: 1, fault: 'changed' });
      expect(await verify(other)).toMatchObject({ brokenSequence: 1, fault: 'head' });
    });
  });

  it('VerifyAuditLog counts entries that were added outside of the chain, and ListAuditEntries shows them without a sequence', async () => {
    const before = await verify();
    const none = { actorName: '', actorEmail: '', actorAddress: '', subjectName: '', subjectEmail: '', detail: '' };
    const added = { workspaceId, actor: 'usr_1', action: 'workspace.created', subjectId: workspaceId, ...none };
    clock.advance(1);
    for (const _ of [1, 2]) await entries().insertOne({ _id: newId('aud', clock.now()), ...added, at: new Date() });
    expect(await verify()).toEqual({ ...before, unchainedEntries: 2 });
    const { entries: listed } = await client.listAuditEntries({ workspaceId, beforeId: '', limit: 2 });
    expect(listed).toMatchObject([1, 2].map(() => ({ sequence: 0, hash: Buffer.alloc(0) })));
  });

  describe('RecordAuditEntry', () => {
    it('RecordAuditEntry adds one entry for concurrent and repeated calls with one id, at the time of this service', async () => {
      const id = newId('aud', 0);
      const answers = await Promise.all(upTo(8).map((n) => record(clients[n % 2] as KeysClient, 'ada', { id })));
      clock.advance(1_000);
      answers.push(await record(client, 'ada', { id }));
      for (const { entry } of answers) expect(entry).toEqual(answers[0]?.entry);
      expect(answers[0]?.entry).toMatchObject({ id, sequence: 2, atMs: clock.now() - 1_000, detail: 'ada' });
      expect(await sequences()).toEqual([1, 2]);
    });

    it('RecordAuditEntry refuses an id that has an entry with other members, also of another workspace', async () => {
      const { entry } = await record(client, 'ada');
      const other = await newWorkspace(client);
      for (const over of [{ detail: 'bob' }, { actor: 'usr_9' }, { workspaceId: other }]) {
        await expect(record(client, 'ada', { id: entry?.id, ...over })).rejects.toMatchObject({ code: 'conflict' });
      }
      expect([await sequences(), await sequences(other)]).toEqual([[1, 2], [1]]);
    });

    it('RecordAuditEntry records who acted from which address, and what changed', async () => {
      const who = { actor: 'usr_1', actorAddress: '2001:db8::1' };
      const { entry } = await record(client, ' ada@example.com ', who);
      expect(entry).toMatchObject({ ...who, action: 'member.invited', subjectId: 'usr_2', detail: 'ada@example.com' });
    });
  });
});
