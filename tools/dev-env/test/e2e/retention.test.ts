import { minuteMs } from '@shopscope/clock';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, driveTraffic, startDevEnv } from '../../src/index.ts';
import { readRetentionRows, secondsOf } from '../../src/retention-page.ts';

/** `scan_*` stands for every name that begins with `scan_`. */
const fits = (pattern: string, name: string) => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
};

describe('docs/retention.md', () => {
  let env: DevEnv;
  let mongo: MongoClient;
  let redis: Redis;
  const services = ['keys', 'profiles', 'metering', 'scan_scheduler', 'subscriptions', 'webhooks', 'dashboard'];
  const databaseOf = (service: string) => mongo.db(env.data.databaseName(service));

  beforeAll(async () => {
    // The shortest time after which the sweeper finds ended attempts.
    const sweep = { RESERVATION_TTL_MS: '11000', SWEEP_INTERVAL_MS: '100' };
    env = await startDevEnv({ label: 'retention', dashboard: true, env: sweep });
    mongo = await MongoClient.connect(env.data.mongoUrl);
    redis = new Redis(env.data.redisUrl);
    await driveTraffic(env);
  });
  afterAll(async () => {
    redis?.disconnect();
    await mongo?.close();
    await env?.stop();
  });

  it('docs/retention.md has a row for every collection, and a collection for every row', async () => {
    const found: string[] = [];
    for (const service of services) {
      const collections = await databaseOf(service).listCollections({}, { nameOnly: true }).toArray();
      const names = new Set(collections.map(({ name }) => name));
      const isTwin = (name: string) => name.startsWith('test_') && names.has(name.slice('test_'.length));
      found.push(...[...names].filter((name) => !isTwin(name)).map((name) => `${service}.${name}`));
    }
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
    const ours = databases
      .map(({ name }) => name)
      .filter((name) => name.startsWith(env.data.databaseName('').slice(0, -1)));
    expect(ours.sort()).toEqual(services.map((service) => env.data.databaseName(service)).sort());
    expect(found.sort()).toEqual([...readRetentionRows('MongoDB').keys()].sort());
  });

  it('docs/retention.md says of each collection which TTL index it has, and after which time that index deletes', async () => {
    for (const [name, [, kept = '', deletedBy = '']] of readRetentionRows('MongoDB')) {
      const [service = '', collection = ''] = name.split('.');
      const indexes: Document[] = await databaseOf(service).collection(collection).indexes();
      const actual = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      const [, field, after] = /^TTL `(\w+)`(?: after (.+))?$/.exec(deletedBy) ?? [];
      const expected = field === undefined ? [] : [[{ [field]: 1 }, after === undefined ? 0 : secondsOf(after)]];
      expect([name, actual.map(({ key, expireAfterSeconds }) => [key, expireAfterSeconds])]).toEqual([name, expected]);
      if (after !== undefined && !kept.startsWith('until'))
        expect([name, secondsOf(kept)]).toEqual([name, secondsOf(after)]);
      if (field === undefined) expect([name, secondsOf(kept)]).toEqual([name, undefined]);
    }
  });

  it('docs/retention.md says how long documents are kept that store the instant of their deletion', async () => {
    const swept = () =>
      databaseOf('metering')
        .collection('charges')
        .countDocuments({ forgetAt: { $type: 'date' } });
    await expect.poll(swept).toBeGreaterThan(0);
    const exercised: string[] = [];
    for (const [name, [, kept = '', deletedBy = '']] of readRetentionRows('MongoDB')) {
      const [, field] = /^TTL `(\w+)`$/.exec(deletedBy) ?? [];
      if (field === undefined) continue;
      const [service = '', collection = ''] = name.split('.');
      const keptMs = (secondsOf(kept) ?? Number.NaN) * 1_000;
      const documents = await databaseOf(service)
        .collection(collection)
        .find({ [field]: { $type: 'date' } })
        .toArray();
      // All documents are of this run, so their time has begun within the last minutes.
      for (const document of documents) {
        const leftMs = document[field].getTime() - Date.now();
        expect(leftMs, name).toBeLessThanOrEqual(keptMs);
        expect(leftMs, name).toBeGreaterThan(keptMs - 15 * minuteMs);
      }
      if (documents.length > 0) exercised.push(name);
    }
    expect(exercised).toEqual([
      'keys.keys',
      'keys.key_requests',
      'profiles.observations',
      'profiles.signals',
      'metering.charges',
      'metering.refunds',
      'scan_scheduler.jobs',
      'scan_scheduler.scans',
      'scan_scheduler.queue_starts',
      'scan_scheduler.pacing_targets',
      'dashboard.session',
      'dashboard.verification',
    ]);
  });

  it('docs/retention.md says of each outbox that published events leave it', async () => {
    const outboxes = [...readRetentionRows('MongoDB')].filter(([, [, , deletedBy]]) => deletedBy === 'the relay');
    expect(outboxes.map(([name]) => name)).toEqual([
      'keys.outbox',
      'profiles.outbox',
      'metering.outbox',
      'scan_scheduler.outbox',
      'subscriptions.outbox',
      'webhooks.outbox',
      'dashboard.audit_outbox',
    ]);
    for (const [name] of outboxes) {
      const [service = '', collection = ''] = name.split('.');
      const left = () => databaseOf(service).collection(collection).countDocuments();
      await expect.poll(left, { message: name }).toBe(0);
    }
  });

  it('subscriptions deletes all data of a deleted workspace', async () => {
    const { workspaceId, secret } = await env.createWorkspace();
    const ask = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const response = await fetch(env.apiUrls[0] + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: string };
    };
    const { id } = await ask('/v1/lists', { name: 'Prospects' });
    const domains = env.demoStores.domains.map(({ domain }) => domain);
    await ask(`/v1/lists/${id}/stores`, { domains });
    await ask(`/v1/stores/${domains[0]}/scans`, {});
    await ask(`/v1/lists/${id}/enrich`, {});
    const watchlist = await ask('/v1/watchlists', { name: 'Competitors', rescan_interval_days: 30 });
    await ask(`/v1/watchlists/${watchlist.id}/stores`, { domains });
    await env.settle();
    const database = databaseOf('subscriptions');
    const collectionsOf = async () => {
      const found: string[] = [];
      for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
        const documents = await database.collection(name).find().toArray();
        if (documents.some((document) => JSON.stringify(document).includes(workspaceId))) found.push(name);
      }
      return found.sort();
    };
    expect(await collectionsOf()).toEqual([
      'bulk_job_results',
      'bulk_job_steps',
      'bulk_jobs',
      'events',
      'list_stores',
      'lists',
      'quotas',
      'rescan_queue',
      'sequences',
      'watched_stores',
      'watchlists',
    ]);
    await env.keys.deleteWorkspace({ workspaceId, actor: 'operator:test', actorAddress: '' });
    await expect.poll(collectionsOf).toEqual(['deleted_workspaces', 'test_deleted_workspaces']);
  });

  it('webhooks deletes all data of a deleted workspace', async () => {
    const { workspaceId } = await env.createWorkspace();
    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
    const url = 'http://127.0.0.1:1/receiver';
    const members = { url, eventTypes: ['scan.completed'], description: '', watchlistIds: [], headers: [] };
    const request = { workspaceId, members: { ...members, filters: undefined, maxPerMinute: undefined } };
    await env.webhooks.createEndpoint({ ...request, quota: 1, requestToken: '' }, { origin });
    const database = databaseOf('webhooks');
    const collectionsOf = async () => {
      const found: string[] = [];
      for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
        const documents = await database.collection(name).find().toArray();
        if (documents.some((document) => JSON.stringify(document).includes(workspaceId))) found.push(name);
      }
      return found.sort();
    };
    expect(await collectionsOf()).toEqual(['endpoints', 'queues', 'quotas']);
    await env.keys.deleteWorkspace({ workspaceId, actor: 'operator:test', actorAddress: '' });
    await expect.poll(collectionsOf).toEqual(['deleted_workspaces', 'test_deleted_workspaces']);
  });

  it('docs/retention.md has a row for every topic, with its partitions and its retention', async () => {
    const admin = new Kafka({ brokers: env.data.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const names = (await admin.listTopics()).filter((name) => name.startsWith(env.data.topicPrefix));
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: 2, name })),
    });
    await admin.disconnect();
    const rows = readRetentionRows('Kafka');
    const unused = new Set(rows.keys());
    for (const name of names) {
      const topic = name.slice(env.data.topicPrefix.length);
      const isTest = topic.startsWith('test-');
      const live = topic.replace(/^test-/, '');
      const [pattern, [livePartitions, kept = ''] = []] = [...rows].find(([each]) => fits(each, live)) ?? [];
      const partitions = isTest && !topic.endsWith('.dlq') ? '1' : livePartitions;
      unused.delete(pattern ?? '');
      const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
      const actual = Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
      expect({
        topic,
        partitions: String(topics.find((each) => each.name === name)?.partitions.length),
        retention: actual['retention.ms'],
        bytes: actual['retention.bytes'],
        policy: actual['cleanup.policy'],
        time: actual['message.timestamp.type'],
      }).toEqual({
        topic,
        partitions,
        retention: String((secondsOf(kept) ?? 0) * 1_000),
        bytes: '-1',
        policy: 'delete',
        time: topic === 'observations.v1' ? 'LogAppendTime' : 'CreateTime',
      });
    }
    expect([...unused]).toEqual([]);
  });

  it('docs/retention.md has a row for every key in Redis, which expires as the row says', async () => {
    const found: string[] = [];
    for await (const keys of redis.scanStream({ match: `${env.data.redisKeyPrefix}*` }))
      found.push(...(keys as string[]));
    const rows = readRetentionRows('Redis');
    const seen = new Set<string>();
    for (const key of found) {
      const name = key.slice(env.data.redisKeyPrefix.length);
      const [pattern, [, kept = ''] = []] = [...rows].find(([each]) => fits(each, name)) ?? [];
      expect([name, pattern]).toEqual([name, expect.any(String)]);
      seen.add(pattern ?? '');
      const leftMs = await redis.pttl(key);
      // -2: it expired meanwhile; -1: it never expires.
      if (leftMs === -2) continue;
      const keptSeconds = secondsOf(kept);
      if (keptSeconds === undefined) expect([name, leftMs]).toEqual([name, -1]);
      else {
        expect(leftMs, name).toBeGreaterThan(0);
        expect(leftMs, name).toBeLessThanOrEqual(keptSeconds * 1_000);
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['limits-epoch*', 'rpm:*', 'idem:*', 'idem:*:bytes', 'throttle:*']),
    );
  });
});
