import { AppError } from '@shopscope/errors';
import { loadConfig, startGateway } from '@shopscope/gateway';
import { createGrpcServer, type Handlers } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import {
  ClaimOutcome,
  type Job,
  JobState,
  ProfilesServiceService,
  type ScanRequested,
  ScanSchedulerServiceService,
  ScanUnit,
  SearchServiceService,
  StoreSignal,
  WebhooksServiceService,
} from '@shopscope/proto';
import { startSubscriptions, loadConfig as subscriptionsConfig } from '@shopscope/subscriptions';
import { serviceEnvironment, silentTelemetry, startTcpProxy } from '@shopscope/testing';
import { unknownValue } from '@shopscope/text';
import type { Store } from '../../../src/stores/domain/store.ts';
import { searchStandIn } from './search.ts';
import { testStore } from './store.ts';
import type { TestSystem } from './system.ts';
import { startWebhooksOf } from './webhooks.ts';

const knownSlugs = ['klaviyo', 'yotpo'];

/**
 * A real gateway for the dashboard of a test system, with the system's keys and metering. Profiles, search and the scan-scheduler are
 * stand-ins behind real gRPC. `withLists` starts subscriptions, and `withWebhooks` also the webhooks service.
 */
export async function startGatewayOf(system: TestSystem, { withLists = false, withWebhooks = false } = {}) {
  const { namespace, services, ports } = system;
  const stores = new Map<string, { body: Buffer; lastCompletedScanAtMs: number }>();
  const jobs = new Map<string, Job>();
  const scanRequests: ScanRequested[] = [];
  const histories = new Map<string, StoreSignal[]>();
  const held = new Map<string, Promise<void>>();
  let jobReads = 0;
  let historyReads = 0;
  const jobOf = ({ workspaceId, jobId }: { workspaceId: string; jobId: string }): Job => {
    const job = jobs.get(jobId);
    if (job?.workspaceId !== workspaceId) throw new AppError('not_found', 'The workspace has no such job.');
    return job;
  };
  const addJob = (workspaceId: string, id: string, domain: string): Job => {
    const unit = ScanUnit.LOOKUP_LIVE;
    const made = { id, workspaceId, type: 'scan', domain, unit, refunded: false, attempts: 0, errorCode: '' };
    const job = { ...made, errorMessage: '', state: JobState.QUEUED, createdAtMs: Date.now() };
    jobs.set(id, job);
    return job;
  };
  const server = createGrpcServer({ host: '127.0.0.1', port: ports.scheduler, ...silentTelemetry() });
  server.addService(ProfilesServiceService, {
    getStores: async ({ domains }) => {
      await Promise.all(domains.map((domain) => held.get(domain)));
      const found = domains.map((domain) => stores.get(domain));
      let offset = 0;
      const slices = found.map((store) => {
        const length = store?.body.length ?? 0;
        offset += length;
        const lastCompletedScanAtMs = store?.lastCompletedScanAtMs ?? 0;
        return { offset: offset - length, length, etag: store ? '"1"' : '', lastCompletedScanAtMs };
      });
      return { bodies: Buffer.concat(found.flatMap((store) => (store ? [store.body] : []))), stores: slices };
    },
    getScanTimes: async ({ domains }) => ({
      lastCompletedScanAtMs: domains.map((domain) => stores.get(domain)?.lastCompletedScanAtMs ?? 0),
    }),
    async resolveValues(values) {
      const { technologies } = values;
      const unknown = technologies.findIndex((slug) => !knownSlugs.includes(slug));
      if (unknown < 0) return values;
      throw unknownValue(`technologies[${unknown}]`, technologies[unknown] ?? '', knownSlugs);
    },
    async getHistory({ domain, after, limit }) {
      historyReads += 1;
      const signals = histories.get(domain);
      if (!signals) return { signals: [] };
      const first = after ? signals.findIndex(({ id }) => id === after.id) + 1 : 0;
      const page = signals.slice(first, first + limit);
      const last = page.at(-1);
      const hasMore = first + limit < signals.length;
      const next = hasMore && last ? { atMs: last.effectiveAtMs, id: last.id } : undefined;
      return {
        observation: { lastCompletedScanAtMs: Date.now(), scope: 'full' },
        signals: page,
        ...(next && { next }),
      };
    },
    listTechnologies: async () => ({ technologies: [], hasMore: false, stores: [], countedAtMs: 0 }),
  } as Partial<Handlers<typeof ProfilesServiceService>> as Handlers<typeof ProfilesServiceService>);
  server.addService(ScanSchedulerServiceService, {
    claimScans: async ({ workspaceId, chargeId, domains }) => ({
      claims: domains.map((domain) => {
        const jobId = deriveId('job', workspaceId, chargeId, domain);
        const created = !jobs.has(jobId);
        if (created) addJob(workspaceId, jobId, domain);
        return { jobId, outcome: ClaimOutcome.CLAIMED, created, claimedAtMs: 1 };
      }),
    }),
    releaseClaims: async () => ({}),
    requestScans: async ({ requests }) => {
      scanRequests.push(...requests);
      return {};
    },
    getJob: async (request) => {
      jobReads += 1;
      return { job: jobOf(request) };
    },
    cancelJob: async (request) => {
      const job = jobOf(request);
      job.state = JobState.CANCELED;
      return { job };
    },
    listJobs: async ({ workspaceId, states }) => {
      const own = [...jobs.values()].filter((job) => job.workspaceId === workspaceId);
      return { jobs: own.filter(({ state }) => states.length === 0 || states.includes(state)), hasMore: false };
    },
  } as Partial<Handlers<typeof ScanSchedulerServiceService>> as Handlers<typeof ScanSchedulerServiceService>);
  server.addService(WebhooksServiceService, {
    listReplayJobs: async () => ({ jobs: [], hasMore: false }),
  } as Partial<Handlers<typeof WebhooksServiceService>> as Handlers<typeof WebhooksServiceService>);
  const search = searchStandIn((domain) => Buffer.from(JSON.stringify(testStore(domain))));
  server.addService(SearchServiceService, search.handlers);
  await server.listen();

  const backends = `127.0.0.1:${ports.scheduler}`;
  const addresses = {
    KEYS_ADDRESS: services.keys.grpcAddress as string,
    METERING_ADDRESS: services.metering.grpcAddress as string,
    PROFILES_ADDRESS: backends,
    SCAN_SCHEDULER_ADDRESS: backends,
    SEARCH_ADDRESS: backends,
  };
  const subscriptions = withLists
    ? await startSubscriptions(
        subscriptionsConfig({
          ...serviceEnvironment(namespace, 'subscriptions'),
          ...addresses,
          TICK_MS: '250',
          JOB_STEP_PAUSE_MS: '0',
        }),
      )
    : undefined;
  const webhooks = withWebhooks ? await startWebhooksOf(system, subscriptions?.grpcAddress) : undefined;
  const gateway = await startGateway(
    loadConfig({
      ...serviceEnvironment(namespace, 'gateway'),
      ...addresses,
      SUBSCRIPTIONS_ADDRESS: subscriptions?.grpcAddress ?? backends,
      WEBHOOKS_ADDRESS: webhooks ? `127.0.0.1:${ports.webhooks}` : backends,
      PUBLIC_API_URL: 'https://api.shopscope.test',
      PUBLIC_SITE_URL: 'https://shopscope.test',
      CURSOR_SECRET: 'a development secret of at least 32 characters',
    }),
  );
  const proxy = await startTcpProxy(new URL(`http://${gateway.internalAddress}`), { port: ports.gateway });
  return {
    /** The public listener. */
    url: gateway.httpUrl as string,
    internalUrl: `http://${gateway.internalAddress}`,
    jobs,
    /** A queued scan. */
    addJob,
    /** Present with `withLists`. */
    subscriptions,
    /** Present with `withWebhooks`. */
    webhooks,
    /** The queries that search was asked, in order. */
    searches: search.asked,
    jobReads: () => jobReads,
    historyReads: () => historyReads,
    /** A known store whose history has added technologies with these slugs, the newest first. */
    addHistory(domain: string, slugs: readonly string[]) {
      const signalOf = (technology: string, n: number) => {
        const atMs = Date.now() - (n + 1) * 60_000;
        const id = `evt_${String(1_000 - n).padStart(26, '0')}`;
        const change = { id, type: 'technology_added', technology, to: 'active', confidence: 'high', domain };
        return StoreSignal.fromPartial({ ...change, effectiveAtMs: atMs, confirmedAtMs: atMs });
      };
      histories.set(domain, slugs.map(signalOf));
    },
    addStore(domain: string, over: Partial<Store> = {}, lastCompletedScanAtMs = Date.now() - 60_000) {
      const scannedAt = new Date(lastCompletedScanAtMs).toISOString();
      const observation = { coverage_note: null, scope: 'full', last_completed_scan_at: scannedAt };
      const body = Buffer.from(JSON.stringify({ ...testStore(domain), observation, ...over }));
      stores.set(domain, { body, lastCompletedScanAtMs });
    },
    /** The dashboard cannot connect, as if no gateway were running. */
    refuse: proxy.refuse,
    /** Ends `refuse`. */
    accept: proxy.accept,
    /** Look-ups of the domain wait until the returned function is called. */
    holdLookUps(domain: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(domain, promise);
      return () => {
        held.delete(domain);
        resolve();
      };
    },
    async stop() {
      await proxy.close();
      await gateway.stop();
      // Nobody calls these services any more, and each of them mostly waits while it stops.
      await Promise.all([webhooks?.stop(), subscriptions?.stop()]);
      await server.stop(0);
    },
  };
}

export type TestGateway = Awaited<ReturnType<typeof startGatewayOf>>;
