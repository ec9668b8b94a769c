import { randomBytes } from 'node:crypto';
import { ManualClock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { apiKeyDigest, newApiKey } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { testNamespace } from '@shopscope/local-stack/testing';
import { KeyChange, type KeyChanged, KeyStatus, KeysServiceService, keyChanged } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig, startKeys } from '../../src/index.ts';

describe('keys', () => {
  const namespace = testNamespace('keys');
  const clock = new ManualClock();
  let service: RunningService;
  let keys: GrpcClient<typeof KeysServiceService>;
  let workspaceId: string;

  const database = namespace.databaseName('keys');
  const env = {
    HOST: '127.0.0.1',
    GRPC_PORT: '0',
    ADMIN_PORT: '0',
    SHOPSCOPE_ENV: 'test',
    LOG_LEVEL: 'silent',
    MONGODB_URL: namespace.mongoUrl,
    MONGODB_DATABASE: database,
    KAFKA_BROKERS: namespace.brokers.join(','),
    KAFKA_TOPIC_PREFIX: namespace.topicPrefix,
    KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
  };
  const createKey = (over: Partial<Parameters<typeof keys.createKey>[0]> = {}) =>
    keys.createKey({
      workspaceId,
      label: 'ci',
      preset: 'read_only',
      scopes: [],
      expiresAtMs: undefined,
      actor: 'usr_1',
      ...over,
    });
  const verify = (secret: string) => keys.verifyKey({ keyDigest: apiKeyDigest(secret), origin: undefined });

  beforeAll(async () => {
    service = await startKeys(loadConfig(env), { clock });
    keys = createGrpcClient({ definition: KeysServiceService, address: service.grpcAddress as string });
    const { workspace } = await keys.createWorkspace({ name: 'Acme', planSlug: 'growth', actor: 'usr_1' });
    workspaceId = workspace?.id ?? '';
  });
  afterAll(async () => {
    keys?.close();
    await service?.stop();
    await namespace.cleanup();
  });

  it('says of a valid key whose it is, what it may do and what its plan allows', async () => {
    const { key, secret } = await createKey({ preset: 'full' });
    const verified = await verify(secret);
    expect(verified).toMatchObject({
      status: KeyStatus.ACTIVE,
      key: { id: key?.id, prefix: secret.slice(0, 13), environment: 'live', createdBy: 'usr_1' },
      workspace: { id: workspaceId, name: 'Acme' },
      plan: { slug: 'growth', rpm: 600, included: { lookupCached: 250_000, lookupLive: 5_000 } },
    });
    expect(verified.key?.scopes).toContain('write:scans');
  });

  it('never keeps a secret: the database holds neither the key nor its plain digest', async () => {
    const { secret } = await createKey();
    const client = await MongoClient.connect(namespace.mongoUrl);
    const stored = JSON.stringify(await client.db(database).collection('keys').find().toArray());
    await client.close();
    expect(stored).not.toContain(secret.slice(13));
    expect(stored).not.toContain(apiKeyDigest(secret).toString('base64'));
  });

  it('does not know a key that was never issued', async () => {
    expect((await verify(newApiKey('live'))).status).toBe(KeyStatus.UNKNOWN);
    expect((await keys.verifyKey({ keyDigest: Buffer.alloc(3), origin: undefined })).status).toBe(KeyStatus.UNKNOWN);
  });

  it('rejects a revoked key from the moment of its revocation, and keeps listing it', async () => {
    const { key, secret } = await createKey();
    await keys.revokeKey({ workspaceId, keyId: key?.id ?? '', actor: 'usr_1' });
    expect((await verify(secret)).status).toBe(KeyStatus.REVOKED);
    const { keys: all } = await keys.listKeys({ workspaceId, includeInactive: true });
    expect(all.find(({ id }) => id === key?.id)).toMatchObject({ status: KeyStatus.REVOKED, prefix: key?.prefix });
    const { keys: active } = await keys.listKeys({ workspaceId, includeInactive: false });
    expect(active.some(({ id }) => id === key?.id)).toBe(false);
  });

  it('rejects a key from the millisecond of its expiry', async () => {
    const expiresAtMs = clock.now() + 60_000;
    const { secret } = await createKey({ expiresAtMs });
    clock.setWall(expiresAtMs - 1);
    expect((await verify(secret)).status).toBe(KeyStatus.ACTIVE);
    clock.setWall(expiresAtMs);
    expect((await verify(secret)).status).toBe(KeyStatus.EXPIRED);
  });

  it("does not show or revoke another workspace's keys", async () => {
    const { key, secret } = await createKey();
    const { workspace: other } = await keys.createWorkspace({ name: 'Other', planSlug: 'free', actor: 'usr_2' });
    const attempt = keys.revokeKey({ workspaceId: other?.id ?? '', keyId: key?.id ?? '', actor: 'usr_2' });
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    expect((await verify(secret)).status).toBe(KeyStatus.ACTIVE);
    expect((await keys.listKeys({ workspaceId: other?.id ?? '', includeInactive: true })).keys).toEqual([]);
  });

  it('lists the active keys of a workspace that rotates without end, and of the ended ones the latest', async () => {
    const { workspace } = await keys.createWorkspace({ name: 'Rotating', planSlug: 'free', actor: 'usr_1' });
    const id = workspace?.id ?? '';
    const client = await MongoClient.connect(namespace.mongoUrl);
    const collection = client.db(database).collection<{ _id: string }>('keys');
    const template = await collection.findOne({ workspaceId });
    const old = Array.from({ length: 5_000 }, (_, n) => ({
      ...template,
      _id: `key_0${String(n).padStart(5, '0')}`,
      workspaceId: id,
      fingerprint: randomBytes(32),
      revokedAt: new Date(clock.now() - (5_000 - n) * 1_000),
    }));
    await collection.insertMany(old);
    await client.close();
    const { key: revoked } = await createKey({ workspaceId: id });
    await keys.revokeKey({ workspaceId: id, keyId: revoked?.id ?? '', actor: 'usr_1' });
    const { key: active } = await createKey({ workspaceId: id });

    const { keys: all } = await keys.listKeys({ workspaceId: id, includeInactive: true });
    expect(all).toHaveLength(5_000);
    expect(all.slice(0, 3).map((key) => key.id)).toEqual([active?.id, revoked?.id, 'key_004999']);
    expect(all.at(-1)?.id).toBe('key_000002');
    const { keys: usable } = await keys.listKeys({ workspaceId: id, includeInactive: false });
    expect(usable.map((key) => key.id)).toEqual([active?.id]);
  });

  it('names the field of every refused input', async () => {
    const refusals = [
      [() => createKey({ label: ' ' }), /^label/],
      [() => createKey({ preset: 'all' }), /^preset/],
      [() => createKey({ preset: '', scopes: ['write:everything'] }), /^scopes/],
      [() => createKey({ preset: '', scopes: [] }), /^scopes/],
      [() => createKey({ expiresAtMs: 1 }), /^expires_at/],
      [() => createKey({ actor: '' }), /^actor/],
      [() => keys.createWorkspace({ name: 'x', planSlug: 'none', actor: 'a' }), /^plan_slug/],
      [() => keys.setWorkspacePlan({ workspaceId, planSlug: 'none', actor: 'a' }), /^plan_slug/],
      [() => keys.listWorkspaces({ afterId: '', limit: 201 }), /^limit/],
    ] as const;
    for (const [attempt, message] of refusals) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'invalid_request',
        publicMessage: expect.stringMatching(message),
      });
    }
  });

  it('shows a plan change, of the plan or of the workspace, in the next verification', async () => {
    const { secret } = await createKey();
    const { plans } = await keys.listPlans({});
    const growth = plans.find(({ slug }) => slug === 'growth');
    if (!growth) throw new Error('the initial plans are missing');
    await keys.putPlan({ plan: { ...growth, slug: 'custom', rpm: 7 }, actor: 'operator:x' });
    await keys.setWorkspacePlan({ workspaceId, planSlug: 'custom', actor: 'operator:x' });
    expect((await verify(secret)).plan).toMatchObject({ slug: 'custom', rpm: 7 });
    await keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'operator:x' });
  });

  it("keeps an operator's plan over a restart", async () => {
    const { plans } = await keys.listPlans({});
    const free = plans.find(({ slug }) => slug === 'free');
    if (!free) throw new Error('the initial plans are missing');
    await keys.putPlan({ plan: { ...free, rpm: 31 }, actor: 'operator:x' });
    const second = await startKeys(loadConfig(env), { clock });
    await second.stop();
    expect((await keys.listPlans({})).plans.find(({ slug }) => slug === 'free')?.rpm).toBe(31);
  });

  it('announces every change that a credential cache must forget, with the origin of the request', async () => {
    const registry = createRegistry({ service: 'test' });
    const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' });
    const { brokers, topicPrefix } = namespace;
    const kafka = createKafka({ brokers, topicPrefix, clientId: 'test', replicationFactor: 1, logger, registry });
    const producer = createProducer(kafka);
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
    const { key } = await createKey();
    const origin = { requestId: 'req_of_the_revocation', traceparent: '' };
    await keys.revokeKey({ workspaceId, keyId: key?.id ?? '', actor: 'usr_1' }, { origin });
    await vi.waitFor(
      () =>
        expect(seen).toContainEqual({
          event: expect.objectContaining({ change: KeyChange.KEY_REVOKED, keyId: key?.id, workspaceId }),
          requestId: origin.requestId,
        }),
      { timeout: 20_000 },
    );
    await consumer.stop();
    await producer.close();
    await kafka.close();
  });

  it('writes down who did what', async () => {
    clock.advance(1);
    const { key } = await createKey({ actor: 'usr_auditor' });
    const { entries } = await keys.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
    expect(entries[0]).toMatchObject({ actor: 'usr_auditor', action: 'key.created', subjectId: key?.id });
  });
});
