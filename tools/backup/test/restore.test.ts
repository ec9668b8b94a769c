import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hourMs } from '@shopscope/clock';
import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { loadConfig as loadMeteringConfig, startMetering } from '@shopscope/metering';
import { loadConfig as loadProfilesConfig, startProfiles } from '@shopscope/profiles';
import { JobState } from '@shopscope/proto';
import { loadConfig as loadSchedulerConfig, startScanScheduler } from '@shopscope/scan-scheduler';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { Kafka, logLevel } from 'kafkajs';
import { type Binary, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dump } from '../src/dump.ts';
import type { Manifest } from '../src/manifest.ts';
import { restore } from '../src/restore.ts';
import { Caller } from './caller.ts';

/**
 * Performs the procedure of docs/backup.md: services serve and bill, a dump is made meanwhile, and every database is lost
 * later. The procedure restores the databases. Then the units that responses reported as billed are compared with the ledger.
 * By day, dump.test.ts restores databases that no service uses.
 */
describe('restore of every database from a dump that was made under load', { tags: ['nightly'] }, () => {
  const namespace = testNamespace('restore');
  const directory = mkdtempSync(join(tmpdir(), 'shopscope-dump-'));
  const databases = ['keys', 'profiles', 'metering', 'scan_scheduler', 'dashboard'].map((name) =>
    namespace.databaseName(name),
  );
  // The same before and after, because bodies of profiles contain it.
  const siteUrl = { PUBLIC_SITE_URL: 'http://shopscope.test' };
  const settings = {
    ...siteUrl,
    KAFKA_TOPIC_PREFIX: namespace.topicPrefix,
    REDIS_KEY_PREFIX: namespace.redisKeyPrefix,
  };
  const envOf = (service: string) => ({ MONGODB_DATABASE: namespace.databaseName(service.replace('-', '_')) });
  const start = () => startDevEnv({ label: 'restore', dashboard: true, env: settings, envOf });
  const included = { lookupCached: 30, lookupLive: 5, historyQuery: 0, refreshRequested: 0 };

  let client: MongoClient;
  let env: DevEnv;
  let main: Caller;
  let tight: Caller;
  let manifest: Manifest;
  /** These domains are scanned before the dump. The first domain is scanned again after the dump. */
  let domains: string[];
  let scannedLater: string;
  const bodies = new Map<string, string>();
  /** The profiles after the replay, before a scanner adds to them. */
  const replayedBodies = new Map<string, string>();
  let jobsAfterDump: string[];
  let idempotentAnswer: string;
  /** Path of an invitation to the dashboard from before the dump. */
  let invitation: string;
  /** The key that is revoked after the dump. */
  let revoked: { workspaceId: string; keyId: string; secret: string };

  /** Starts the services that replay, in the order of docs/backup.md. Callers are served only after this resolves. */
  async function replay(): Promise<void> {
    const own = (service: string) => ({
      ...serviceEnvironment(namespace, service),
      ...siteUrl,
      INSTANCE_ID: `${service}-replay`,
    });
    const first = await Promise.all([
      startMetering(loadMeteringConfig(own('metering'))),
      startProfiles(loadProfilesConfig(own('profiles'))),
    ]);
    const caughtUp = async (services: typeof first) => {
      for (const service of services) {
        await vi.waitFor(async () => expect(await service.pending(), service.name).toBe(0), { timeout: 60_000 });
      }
    };
    await caughtUp(first);
    const stored = client
      .db(namespace.databaseName('profiles'))
      .collection<{ _id: string; body: Binary }>('store_bodies');
    for await (const { _id, body } of stored.find()) replayedBodies.set(_id, Buffer.from(body.buffer).toString());
    const scheduler = await startScanScheduler(loadSchedulerConfig(own('scan-scheduler')));
    // Unfinished jobs wait for scanners, which start last. Here only the events must be consumed.
    const admin = new Kafka({ brokers: namespace.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await vi.waitFor(async () => expect(await lagOf(admin, 'scan-scheduler')).toBe(0), { timeout: 60_000 });
    await admin.disconnect();
    for (const service of [scheduler, ...first]) await service.stop();
  }

  type Admin = ReturnType<Kafka['admin']>;

  async function lagOf(admin: Admin, group: string): Promise<number> {
    let lag = 0;
    for (const [, topic] of resetsOf('scan-scheduler')) {
      const ends = await admin.fetchTopicOffsets(namespace.topicPrefix + topic);
      const [found] = await admin.fetchOffsets({
        groupId: namespace.topicPrefix + group,
        topics: [namespace.topicPrefix + topic],
      });
      for (const { partition, high } of ends) {
        const committed = Number(found?.partitions.find((each) => each.partition === partition)?.offset ?? -1);
        lag += Math.max(0, Number(high) - Math.max(0, committed));
      }
    }
    return lag;
  }

  /** The `reset GROUP TOPIC` lines of the document, and the `both GROUP TOPIC` lines for the topic of each environment, so that the test performs what the document says. */
  function resetsOf(group?: string): [string, string][] {
    const text = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');
    const lines = [...text.matchAll(/^(reset|both) ([\w-]+) ([\w.-]+)$/gm)];
    return lines
      .flatMap(([, which, name = '', topic = '']): [string, string][] => [
        [name, topic],
        ...(which === 'both' ? [[name, `test-${topic}`] as [string, string]] : []),
      ])
      .filter(([name]) => !group || name === group);
  }

  /** Does the same as kafka-consumer-groups.sh --reset-offsets --to-datetime. */
  async function resetOffsets(sinceMs: number): Promise<void> {
    const admin = new Kafka({ brokers: namespace.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    for (const [group, topic] of resetsOf()) {
      const offsets = await admin.fetchTopicOffsetsByTimestamp(namespace.topicPrefix + topic, sinceMs);
      await admin.setOffsets({
        groupId: namespace.topicPrefix + group,
        topic: namespace.topicPrefix + topic,
        partitions: offsets,
      });
    }
    await admin.disconnect();
  }

  const planNamed = async (slug: string, change: object) => {
    const { plans } = await env.keys.listPlans({});
    const scale = plans.find((plan) => plan.slug === 'scale');
    if (!scale) throw new Error('there is no plan scale');
    await env.keys.putPlan({ plan: { ...scale, slug, ...change }, actor: 'operator:test' });
    return slug;
  };

  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
    env = await start();
    const all = env.demoStores.domains.filter(({ platform }) => platform === 'shopify' || platform === 'woocommerce');
    domains = all.slice(0, 3).map(({ domain }) => domain);
    scannedLater = all[3]?.domain ?? '';
    main = new Caller(await env.createWorkspace({ plan: await planNamed('always_stale', { freshnessDays: 0 }) }));
    tight = new Caller(await env.createWorkspace({ plan: await planNamed('thirty', { included }) }));
    main.gateway = tight.gateway = env.apiUrls[0] ?? '';

    revoked = await env.createWorkspace();
    const { workspaceId } = revoked;
    const person = { workspaceId, email: 'ann@example.com', role: 'admin', actor: 'operator:test' };
    invitation = new URL((await env.dashboard?.client.invitePerson(person))?.url ?? '').pathname;

    await main.enrich({ domains, refresh: true });
    await env.settle();
    for (let n = 0; n < 20; n++) await main.read(domains[n % 3] ?? '');
    for (let n = 0; n < 10; n++) await tight.read(domains[0] ?? '');

    // Requests of every kind during the dump: at its instant, charges are open and events are not consumed yet.
    let isDumping = true;
    const traffic = (async () => {
      while (isDumping) await Promise.all([0, 1, 2, 0].map((n) => main.read(domains[n] ?? '')));
    })();
    const rescan = main.enrich({ domains: [domains[1] ?? ''], refresh: true });
    manifest = await dump({ client, databases, directory });
    isDumping = false;
    await Promise.all([traffic, rescan]);

    await env.keys.revokeKey({
      workspaceId: revoked.workspaceId,
      keyId: revoked.keyId,
      actor: 'operator:test',
      actorAddress: '',
    });
    for (let n = 0; n < 12; n++) await tight.read(domains[1] ?? '');
    const again = await main.enrich({ domains: [domains[0] ?? '', scannedLater], refresh: true });
    jobsAfterDump = again.body.results.map((result: { scan_job_id: string }) => result.scan_job_id);
    await env.settle();
    idempotentAnswer = (await main.enrich({ domains }, 'restored-with-its-answer')).text;
    for (const domain of [...domains, scannedLater]) bodies.set(domain, (await main.read(domain)).text);
    // Events that are not consumed yet when the services end.
    await Promise.all(Array.from({ length: 40 }, (_, n) => main.read(domains[n % 3] ?? '')));
    for (const service of env.services) await service.stop();

    for (const name of databases) await client.db(name).dropDatabase();
    await restore({ client, directory });
    await resetOffsets(Date.parse(manifest.snapshotAt) - hourMs);
    await replay();
    env = await start();
    main.gateway = tight.gateway = env.apiUrls[0] ?? '';
    await env.settle();
  }, 240_000);
  afterAll(async () => {
    await env?.stop();
    await client?.close();
    await namespace.cleanup();
    rmSync(directory, { recursive: true, force: true });
  });

  const ledger = () => client.db(namespace.databaseName('metering')).collection('ledger');

  it('a restore keeps keys: a secret from before the dump is accepted', async () => {
    expect((await main.get('/v1/account')).status).toBe(200);
  });

  it('a restore keeps people: an invitation from before the dump can be accepted', async () => {
    const page = await fetch(`${env.dashboard?.url}${invitation}`);
    expect([page.status, (await page.text()).includes('ann@example.com')]).toEqual([200, true]);
  });

  it('a restore lists revocations since the dump, because they are lost until they are repeated', async () => {
    const account = async () => {
      const caller = new Caller(revoked);
      caller.gateway = main.gateway;
      return (await caller.get('/v1/account')).status;
    };
    expect(await account()).toBe(200);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@shopscope/source', 'tools/backup/src/main.ts', 'key-changes', manifest.snapshotAt],
      { env: { ...settings, SHOPSCOPE_ENV: 'test', KAFKA_BROKERS: namespace.brokers.join(',') }, timeout: 60_000 },
    );
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    const revocations = lines.map((line) => JSON.parse(line)).filter(({ change }) => change === 'KEY_REVOKED');
    expect(revocations).toMatchObject([{ workspaceId: revoked.workspaceId, keyId: revoked.keyId }]);
    for (const { workspaceId, keyId } of revocations) {
      await env.keys.revokeKey({ workspaceId, keyId, actor: 'operator:test', actorAddress: '' });
    }
    await vi.waitFor(async () => expect(await account()).toBe(401), { timeout: 60_000 });
  });

  it('a restore keeps every unit that a response billed, before and after the dump, in the ledger exactly once', async () => {
    for (const { workspaceId, billed } of [main, tight]) {
      const entries = await ledger().find({ workspaceId }).toArray();
      const sum = (unit: string) => entries.reduce((total, { units }) => total + Number(units[unit] ?? 0), 0);
      expect({ lookup_cached: sum('lookupCached'), lookup_live: sum('lookupLive') }).toEqual(billed);
      const counted = entries.filter(({ kind }) => kind === 'charge').map(({ _id }) => String(_id).split('/')[0]);
      expect(new Set(counted).size, 'no charge counts twice').toBe(counted.length);
    }
    expect(main.billed.lookup_cached).toBeGreaterThan(60);
  });

  it('a restore shows the sums of the ledger as usage', async () => {
    for (const caller of [main, tight]) {
      const { period, by_key } = (await caller.get('/v1/usage')).body;
      expect(period.used).toMatchObject(caller.billed);
      expect(by_key[0].used).toMatchObject(caller.billed);
    }
  });

  it('a restore restores the latest profiles that callers saw, byte for byte, also those observed after the dump', async () => {
    for (const [domain, text] of bodies) expect(text).toBe(`{"match":"matched","store":${replayedBodies.get(domain)}}`);
    const unchanged = domains[2] ?? '';
    expect((await main.read(unchanged)).text).toBe(bodies.get(unchanged));
  });

  it('a restored system replays a response that was kept under an Idempotency-Key after the dump, and bills nothing', async () => {
    const replayed = await main.enrich({ domains }, 'restored-with-its-answer');
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.text).toBe(idempotentAnswer);
  });

  it('a restore ends every job, also those requested after the dump', async () => {
    for (const jobId of jobsAfterDump) {
      const { job } = await env.scans.getJob({ workspaceId: main.workspaceId, jobId });
      expect(job?.state).toBe(JobState.SUCCEEDED);
    }
    const jobs = client.db(namespace.databaseName('scan_scheduler')).collection('jobs');
    expect(await jobs.distinct('state')).toEqual(['succeeded']);
  });

  it('a restored system gives no sequence twice, even when no event since the dump shows the sequences that were given', async () => {
    const scheduler = client.db(namespace.databaseName('scan_scheduler'));
    const [floor] = await scheduler.collection<{ _id: number }>('sequence_floors').find().toArray();
    expect(floor?._id).toBeGreaterThan(2 ** 50);
    const answer = await main.enrich({ domains: [domains[1]], refresh: true });
    const jobId = answer.body.results[0].scan_job_id as string;
    await env.settle();
    expect((await env.scans.getJob({ workspaceId: main.workspaceId, jobId })).job?.state).toBe(JobState.SUCCEEDED);
    const target = await scheduler.collection<{ _id: string; sequence: number }>('scan_targets').findOne({
      _id: domains[1] ?? '',
    });
    expect(target?.sequence).toBeGreaterThan(floor?._id ?? Number.POSITIVE_INFINITY);
  });

  it('a restored system merges new scans, because their sequences are above those merged after the dump', async () => {
    const before = (await main.read(domains[0] ?? '')).body.store.observation.last_completed_scan_at;
    const answer = await main.enrich({ domains: [domains[0]], refresh: true });
    const jobId = answer.body.results[0].scan_job_id as string;
    await env.settle();
    const { job } = await env.scans.getJob({ workspaceId: main.workspaceId, jobId });
    expect(job).toMatchObject({ state: JobState.SUCCEEDED });
    const after = (await main.read(domains[0] ?? '')).body.store.observation.last_completed_scan_at;
    expect(after > before).toBe(true);
  });

  it('a restored system allows the remaining units of an allowance and no more', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => tight.read(domains[2] ?? '')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 402)).toHaveLength(7);
    await env.settle();
    expect((await tight.get('/v1/usage')).body.period.used.lookup_cached).toBe(30);
  });
});
