import { randomBytes } from 'node:crypto';
import { ManualClock } from '@shopscope/clock';
import { apiKeyDigest, newApiKey } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, KeyStatus, keyChanged } from '@shopscope/proto';
import { kafkaOptions } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  actor,
  by,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  statusOf,
} from './harness.ts';

type NewKey = Awaited<ReturnType<typeof newKey>>;

describe('keys', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let keys: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('keys', clock);
    keys = (await harness.start()).client;
    workspaceId = await newWorkspace(keys, { planSlug: 'growth' });
  });
  afterAll(() => harness?.stop());

  it('a valid key is verified with its owner, its scopes and the limits of its plan', async () => {
    const { id, secret } = await newKey(keys, workspaceId);
    const verified = await keys.verifyKey(digestOf(secret));
    expect(verified).toMatchObject({
      status: KeyStatus.ACTIVE,
      key: { id, workspaceId, label: 'ci', prefix: secret.slice(0, 13), environment: 'live', createdBy: actor },
      workspace: { id: workspaceId, name: 'Acme' },
      plan: { slug: 'growth', rpm: 600, included: { lookupCached: 250_000, lookupLive: 5_000 } },
    });
    expect(verified.key?.scopes).toContain('write:scans');
  });

  it('the database holds neither a secret nor the plain digest of one', async () => {
    const { id, secret } = await newKey(keys, workspaceId);
    const collections = await harness.db.collections();
    const stored = JSON.stringify(await Promise.all(collections.map((each) => each.find().toArray())));
    expect(stored).toContain(id);
    expect(stored).not.toContain(secret.slice(13));
    for (const encoding of ['base64', 'hex'] as const) {
      expect(stored).not.toContain(apiKeyDigest(secret).toString(encoding));
    }
  });

  it('a key that was never issued and an invalid digest are unknown', async () => {
    expect(await statusOf(keys, newApiKey('live'))).toBe(KeyStatus.UNKNOWN);
    for (const length of [0, 3, 31, 33, 1_000]) {
      const answer = await keys.verifyKey({ keyDigest: Buffer.alloc(length) });
      expect(answer).toEqual({ status: KeyStatus.UNKNOWN, key: undefined, workspace: undefined, plan: undefined });
    }
  });

  it('a revoked key is refused from its revocation on and stays listed among the inactive keys', async () => {
    const { id, secret } = await newKey(keys, workspaceId);
    await keys.revokeKey({ workspaceId, keyId: id, actor, actorAddress: '' });
    expect(await statusOf(keys, secret)).toBe(KeyStatus.REVOKED);
    const { keys: all } = await keys.listKeys({ workspaceId, includeInactive: true });
    expect(all.find((key) => key.id === id)).toMatchObject({
      status: KeyStatus.REVOKED,
      prefix: secret.slice(0, 13),
      revokedAtMs: clock.now(),
    });
    const { keys: active } = await keys.listKeys({ workspaceId, includeInactive: false });
    expect(active.some((key) => key.id === id)).toBe(false);
  });

  it('several keys are revoked together, each with its audit entry and event, and a repeated call changes nothing', async () => {
    const id = await newWorkspace(keys, { name: 'Several' });
    const made = [await newKey(keys, id), await newKey(keys, id), await newKey(keys, id)];
    const [first, second, kept] = made as [NewKey, NewKey, NewKey];
    await keys.revokeKey({ workspaceId: id, keyId: first.id, ...by });
    const request = { workspaceId: id, keyIds: [first.id, second.id, second.id], ...by };
    expect(await keys.revokeKeys(request)).toEqual({ revokedKeys: 1 });
    const statuses = await Promise.all(made.map(({ secret }) => statusOf(keys, secret)));
    expect(statuses).toEqual([KeyStatus.REVOKED, KeyStatus.REVOKED, KeyStatus.ACTIVE]);
    const log = async () => (await keys.listAuditEntries({ workspaceId: id, beforeId: '', limit: 50 })).entries;
    const revocations = (await log()).filter(({ action }) => action === 'key.revoked');
    expect(revocations.map(({ subjectId }) => subjectId).toSorted()).toEqual([first.id, second.id].toSorted());
    const before = await log();
    expect(await keys.revokeKeys(request)).toEqual({ revokedKeys: 0 });
    expect([await log(), await statusOf(keys, kept.secret)]).toEqual([before, KeyStatus.ACTIVE]);
  });

  it('none of several keys is revoked when one is unknown or of another workspace', async () => {
    const [own, foreign] = [await newKey(keys, workspaceId), await newKey(keys, await newWorkspace(keys))];
    for (const other of [foreign.id, 'key_00000000000000000000000000']) {
      const attempt = keys.revokeKeys({ workspaceId, keyIds: [own.id, other], ...by });
      await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    }
    const statuses = await Promise.all([own, foreign].map(({ secret }) => statusOf(keys, secret)));
    expect(statuses).toEqual([KeyStatus.ACTIVE, KeyStatus.ACTIVE]);
  });

  it('500 keys are revoked in one transaction', async () => {
    const id = await newWorkspace(keys, { name: 'Many keys' });
    const collection = harness.db.collection<{ _id: string }>('keys');
    const template = await collection.findOne({ workspaceId });
    const rows = Array.from({ length: 500 }, (_, n) => ({
      ...template,
      _id: `key_1${String(n).padStart(5, '0')}`,
      workspaceId: id,
      fingerprint: randomBytes(32),
      revokedAt: null,
    }));
    await collection.insertMany(rows);
    const request = { workspaceId: id, keyIds: rows.map(({ _id }) => _id), ...by };
    expect(await keys.revokeKeys(request)).toEqual({ revokedKeys: 500 });
    expect(await collection.countDocuments({ workspaceId: id, revokedAt: null } as never)).toBe(0);
    expect(
      await harness.db.collection('audit_entries').countDocuments({ workspaceId: id, action: 'key.revoked' }),
    ).toBe(500);
  });

  it("a workspace neither sees nor revokes another workspace's keys", async () => {
    const { id, secret } = await newKey(keys, workspaceId);
    const other = await newWorkspace(keys, { name: 'Other' });
    const attempt = keys.revokeKey({ workspaceId: other, keyId: id, actor, actorAddress: '' });
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    expect(await statusOf(keys, secret)).toBe(KeyStatus.ACTIVE);
    expect((await keys.listKeys({ workspaceId: other, includeInactive: true })).keys).toEqual([]);
  });

  it('a list holds every active key of a workspace that rotates without end, and the latest of the ended keys', async () => {
    const id = await newWorkspace(keys, { name: 'Rotating' });
    const collection = harness.db.collection<{ _id: string }>('keys');
    const template = await collection.findOne({ workspaceId });
    const old = Array.from({ length: 5_000 }, (_, n) => ({
      ...template,
      _id: `key_0${String(n).padStart(5, '0')}`,
      workspaceId: id,
      fingerprint: randomBytes(32),
      revokedAt: new Date(clock.now() - (5_000 - n) * 1_000),
    }));
    await collection.insertMany(old);
    const { id: revoked } = await newKey(keys, id);
    await keys.revokeKey({ workspaceId: id, keyId: revoked, actor, actorAddress: '' });
    const { id: active } = await newKey(keys, id);

    const { keys: all } = await keys.listKeys({ workspaceId: id, includeInactive: true });
    expect(all).toHaveLength(5_000);
    expect(all.slice(0, 3).map((key) => key.id)).toEqual([active, revoked, 'key_004999']);
    expect(all.at(-1)?.id).toBe('key_000002');
    const { keys: usable } = await keys.listKeys({ workspaceId: id, includeInactive: false });
    expect(usable.map((key) => key.id)).toEqual([active]);
  });

  it('the next verification shows a change of the plan and of the workspace', async () => {
    const { secret } = await newKey(keys, workspaceId);
    const { plans } = await keys.listPlans({});
    const growth = plans.find(({ slug }) => slug === 'growth');
    if (!growth) throw new Error('the initial plans are missing');
    await keys.putPlan({ plan: { ...growth, slug: 'custom', rpm: 7 }, actor });
    await keys.setWorkspacePlan({ workspaceId, planSlug: 'custom', actor });
    const plan = async () => (await keys.verifyKey(digestOf(secret))).plan;
    expect(await plan()).toMatchObject({ slug: 'custom', rpm: 7 });
    await keys.updatePlan({ slug: 'custom', rpm: 8, actor });
    expect(await plan()).toMatchObject({ slug: 'custom', rpm: 8 });
    await keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor });
  });

  it("an operator's change of a plan survives a restart", async () => {
    const { plans } = await keys.listPlans({});
    const free = plans.find(({ slug }) => slug === 'free');
    if (!free) throw new Error('the initial plans are missing');
    await keys.putPlan({ plan: { ...free, rpm: 31 }, actor });
    await (await harness.start()).stop();
    expect((await keys.listPlans({})).plans.find(({ slug }) => slug === 'free')?.rpm).toBe(31);
  });

  it('a revocation is published for credential caches, with the origin of its request', async () => {
    const kafka = createKafka(kafkaOptions(harness.namespace));
    const producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    const seen: { event: KeyChanged; requestId: string }[] = [];
    const consumer = await consumeEvents(kafka, {
      groupId: 'test',
      producer,
      onFatal: () => {},
      subscriptions: [
        {
          type: keyChanged,
          handle: async (events) => {
            for (const { event, meta } of events) seen.push({ event, requestId: meta.requestId });
          },
        },
      ],
    });
    const { id: keyId } = await newKey(keys, workspaceId);
    const origin = { requestId: 'req_of_the_revocation', traceparent: '', environment: 'live' as const };
    await keys.revokeKey({ workspaceId, keyId, actor, actorAddress: '' }, { origin });
    await vi.waitFor(
      () =>
        expect(seen).toContainEqual({
          event: expect.objectContaining({ change: KeyChange.KEY_REVOKED, keyId, workspaceId }),
          requestId: origin.requestId,
        }),
      { timeout: 60_000 },
    );
    await consumer.stop();
    await producer.close();
    await kafka.close();
  });

  it('the audit log names who did what', async () => {
    clock.advance(1);
    const { id } = await newKey(keys, workspaceId, { actor: 'usr_auditor' });
    const { entries } = await keys.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
    expect(entries[0]).toMatchObject({ actor: 'usr_auditor', action: 'key.created', subjectId: id });
  });
});
