import { createDeadline } from '@shopscope/async';
import { dayMs, MovableClock, systemClock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { createGrpcClient } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { loadConfig as loadKeys, startKeys } from '@shopscope/keys';
import { createCleanupStack, type RunningService } from '@shopscope/lifecycle';
import { loadConfig as loadMetering, startMetering } from '@shopscope/metering';
import { connectMongo, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { loadConfig as loadProfiles, startProfiles } from '@shopscope/profiles';
import { KeysServiceService, type Units, unitKeys, unitsOf } from '@shopscope/proto';
import { loadConfig as loadScheduler, startScanScheduler } from '@shopscope/scan-scheduler';
import {
  kafkaOptions,
  mongoOptions,
  serviceEnvironment,
  silentTelemetry,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { Binary, MongoClient } from 'mongodb';
import { loadConfig } from '../../src/config.ts';
import { connectPeers } from '../../src/connect-peers.ts';
import { createDependencies } from '../../src/create-dependencies.ts';
import type { JobRef } from '../../src/domain/bulk-job.ts';
import { createMetrics } from '../../src/metrics.ts';
import { addStores } from '../../src/operations/add-stores.ts';
import { createList } from '../../src/operations/create-group.ts';
import type { Dependencies, EveryEnvironment } from '../../src/operations/dependencies.ts';
import { listsOf } from '../../src/operations/group-kinds.ts';
import { listJobResults } from '../../src/operations/jobs/list-job-results.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { type ListEnrich, startListEnrich } from '../../src/operations/jobs/start-list-enrich.ts';
import { collections } from '../../src/outbound/mongo/stores.ts';
import { startSearchServer } from './search-server.ts';

export type Live = Dependencies<'live'>;
export type JobSystem = Awaited<ReturnType<typeof startJobSystem>>;

const origin = { requestId: 'req_job_test', traceparent: '', environment: 'live' as Environment | null };
export const context = () =>
  ({ origin, deadline: createDeadline(30_000), peer: null, abort: new AbortController().signal }) as never;
const by = { actor: 'operator:test', actorAddress: '' };

/** keys, metering, profiles and scan-scheduler with their real databases, and the dependencies of operations on jobs. */
export async function startJobSystem(label: string) {
  const namespace = testNamespace(label);
  const clock = new MovableClock(systemClock);
  // A day on which no test reaches the end of the period.
  clock.setOffset(clock.offsetTo(Date.UTC(2027, 0, 10, 12)));
  const env = (service: Parameters<typeof serviceEnvironment>[1]) => ({
    ...serviceEnvironment(namespace, service),
    KEY_PEPPER: 'development-pepper-of-the-test-environment',
    PUBLIC_SITE_URL: 'http://shopscope.test',
  });
  const [keys, metering, profiles, scheduler] = await Promise.all([
    startKeys(loadKeys(env('keys')), { clock }),
    startMetering(loadMetering(env('metering')), { clock }),
    startProfiles(loadProfiles(env('profiles')), { clock }),
    startScanScheduler(loadScheduler(env('scan-scheduler')), { clock }),
  ]);
  const addressOf = ({ grpcAddress }: RunningService) => grpcAddress as string;
  const search = await startSearchServer();
  const addresses = {
    KEYS_ADDRESS: addressOf(keys),
    METERING_ADDRESS: addressOf(metering),
    PROFILES_ADDRESS: addressOf(profiles),
    SCAN_SCHEDULER_ADDRESS: addressOf(scheduler),
    SEARCH_ADDRESS: search.address,
  };
  const config = loadConfig({ ...env('subscriptions'), ...addresses });
  const mongo = await connectMongo({ ...mongoOptions(namespace, 'subscriptions'), poolSize: 50 });
  await ensureCollections(mongo.db, collections);
  const raw = await MongoClient.connect(namespace.mongoUrl);
  const kafka = createKafka(kafkaOptions(namespace));
  const producer = createProducer(kafka);
  const keysClient = createGrpcClient({ definition: KeysServiceService, address: addresses.KEYS_ADDRESS });
  const cleanups: (() => Promise<void>)[] = [];

  /** The dependencies of one more instance of subscriptions. */
  const newInstance = (): EveryEnvironment => {
    const { logger, registry } = silentTelemetry();
    const resources = createCleanupStack({ timeoutMs: 5_000, onError: () => {} });
    cleanups.push(() => resources.stop());
    const { security: _, ...peers } = connectPeers(config, { logger, registry, resources, clock });
    const metrics = createMetrics(registry, clock);
    const relay = { nudge: () => {} };
    const outbox = createOutbox(mongo.db);
    return createDependencies({ mongo, outbox, relay, producer, peers, clock, logger, metrics });
  };
  const instance = (): Live => newInstance().live;
  const { live: deps, test } = newInstance();
  const database = (service: string) => raw.db(namespace.databaseName(service.replaceAll('-', '_')));

  return {
    namespace,
    clock,
    deps,
    /** The dependencies of the test environment. */
    test,
    instance,
    addresses,
    env,
    db: mongo.db,
    keys: keysClient,
    database,
    services: { keys, metering, profiles, scheduler },
    search,
    /** Moves the wall time of all services forward. */
    passTime: async (ms: number) => clock.setOffset(clock.offsetMs + ms),
    /** A workspace with a key. */
    async createWorkspace({ plan = 'growth', scopes = ['read:stores', 'read:watchlists', 'write:scans'] } = {}) {
      const { workspace } = await keysClient.createWorkspace({ name: 'Jobs', planSlug: plan, ...by });
      const workspaceId = workspace?.id ?? '';
      const request = { workspaceId, label: 'jobs', preset: '', scopes, expiresAtMs: undefined, requestToken: '' };
      const { key } = await keysClient.createKey({ ...request, ...by });
      return { workspaceId, keyId: key?.id ?? '' };
    },
    /** A plan with these included units. */
    async createPlan(slug: string, included: Partial<Units>, enrichBatchMax = 100) {
      const limits = { rpm: 600, concurrency: 10, enrichBatchMax, freshnessDays: 7, historyDays: 30 };
      await keysClient.createPlan({
        plan: { slug, ...limits, included: unitsOf(included), quotas: undefined },
        actor: 'operator:test',
      });
      return slug;
    },
    /** Puts stores into the corpus. */
    async addToCorpus(domains: readonly string[], ageDays = 0, padding = 0) {
      const documents = domains.map((domain) => ({
        _id: domain as never,
        body: new Binary(Buffer.from(`{"domain":"${domain}","name":"Ä"}${' '.repeat(padding)}`)),
        etag: '"1"',
        lastCompletedScanAt: new Date(clock.now() - ageDays * dayMs),
      }));
      if (documents.length > 0) await database('profiles').collection('store_bodies').insertMany(documents);
    },
    async createList(workspaceId: string, domains: readonly string[]): Promise<string> {
      const tenant = { workspaceId, environment: 'live' } as const;
      const list = await createList(deps, tenant, { name: 'L', quota: 1e9, requestToken: '' }, context());
      for (let start = 0; start < domains.length; start += 2_000) {
        const stores = domains.slice(start, start + 2_000).map((domain) => ({ domain, externalId: `ext-${domain}` }));
        await addStores(deps, listsOf(deps), tenant, { id: list.id, stores, quota: 1e9 }, context());
      }
      return list.id;
    },
    start: (
      { workspaceId, keyId }: { workspaceId: string; keyId: string },
      listId: string,
      over: Partial<ListEnrich> = {},
      on = deps,
    ) =>
      startListEnrich(
        on,
        { workspaceId, environment: 'live' },
        { listId, keyId, refresh: false, maxUnits: undefined, requestToken: '', ...over },
        context(),
      ),
    /** Executes steps until there are none, at most `limit`. */
    async runSteps(on = deps, limit = 1_000) {
      for (let n = 0; n < limit; n++) if (!(await runNextStep(on))) return n;
      return limit;
    },
    async find({ workspaceId, id }: Pick<JobRef<'live'>, 'workspaceId' | 'id'>) {
      const found = await deps.bulkJobs.find({ environment: 'live', workspaceId, id }, new Date(0), {
        maxTimeMS: 5_000,
      });
      if (!found) throw new Error('no such job');
      return found;
    },
    /** All results of a job, page by page. */
    async results({ workspaceId, id }: Pick<JobRef<'live'>, 'workspaceId' | 'id'>, limit = 200) {
      const all = [];
      for (let afterDomain = ''; ; afterDomain = all.at(-1)?.domain ?? '') {
        const tenant = { workspaceId, environment: 'live' } as const;
        const page = await listJobResults(deps, tenant, { id, afterDomain, limit }, context());
        all.push(...page.results);
        if (!page.hasMore) return all;
      }
    },
    /** The units of the ledger of a workspace, when every usage event is in it. */
    async ledger(workspaceId: string): Promise<Units> {
      await waitUntil('metering', async () => (await metering.pending?.()) === 0, { timeoutMs: 30_000 });
      const { metering: client } = deps.charging;
      const { balance } = await client.getUsage(workspaceId, origin, createDeadline(10_000));
      return unitsOf(balance?.used);
    },
    /** The units of the ledger of a workspace in all periods, when every usage event is in it. */
    async ledgerOfAllPeriods(workspaceId: string): Promise<Units> {
      await waitUntil('metering', async () => (await metering.pending?.()) === 0, { timeoutMs: 30_000 });
      const entries = database('metering').collection<{ units: Partial<Units> }>('ledger').find({ workspaceId });
      const sum = unitsOf({});
      for await (const { units } of entries) for (const key of unitKeys) sum[key] += units[key] ?? 0;
      return sum;
    },
    async stop() {
      for (const cleanup of cleanups.reverse()) await cleanup();
      keysClient.close();
      await producer.close();
      await kafka.close();
      await mongo.close();
      await search.close();
      for (const service of [scheduler, profiles, metering, keys]) await service.stop();
      await raw.close();
      await namespace.cleanup();
    },
  };
}

export const tenantOf = ({ workspaceId }: { workspaceId: string }) => ({ workspaceId, environment: 'live' }) as const;

/** The events of a workspace, in order. */
export const eventsOf = ({ db }: Pick<JobSystem, 'db'>, workspaceId: string) =>
  db.collection('events').find({ workspaceId }).sort({ sequence: 1 }).toArray();

export const domainsOf = (count: number, prefix = 'shop') =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(6, '0')}.example`);
