import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import {
  type CallOptions,
  createGrpcServer,
  type GrpcServer,
  type HandlerContext,
  type Handlers,
} from '@shopscope/grpc';
import { apiKeyDigest, deriveId, newApiKey } from '@shopscope/ids';
import {
  type BulkJob,
  type BulkJobResult,
  BulkJobState,
  BulkJobType,
  ClaimOutcome,
  type ExportFormat,
  type ExportPart,
  type Job,
  JobState,
  KeyStatus,
  KeysServiceService,
  KeyUse,
  type ListBulkJobsRequest,
  MeteringServiceService,
  noUnits,
  type Plan,
  ProfilesServiceService,
  type ScanRequested,
  ScanSchedulerServiceService,
  ScanUnit,
  type SignalFilters,
  type SignalPosition,
  type StoreFacts,
  type StoreSignal,
  SubscriptionsServiceService,
  type Technology,
  unitsOf,
  type VerifyKeyResponse,
  WebhooksServiceService,
} from '@shopscope/proto';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { unknownValue } from '@shopscope/text';
import { storeExample } from '../../../src/endpoints/get-store/examples.ts';
import { startTestMetering, type TestMetering } from './metering.ts';

/**
 * The services that a gateway calls over gRPC: in-memory stand-ins for keys, profiles and scan-scheduler, and the real
 * metering.
 *
 * - Every call is recorded: tests read what was reserved, claimed and released.
 * - `faults` makes a method fail, wait or give another answer before the call reaches the stand-in or metering.
 */
type KeysHandlers = Handlers<typeof KeysServiceService>;
type MeteringHandlers = Handlers<typeof MeteringServiceService>;

export const growth: Plan = {
  slug: 'growth',
  rpm: 600,
  concurrency: 20,
  enrichBatchMax: 100,
  freshnessDays: 7,
  historyDays: 365,
  included: { lookupCached: 250_000, lookupLive: 5_000, historyQuery: 25_000, refreshRequested: 5_000 },
  quotas: { lists: 100, listStores: 250_000, watchlists: 50, watchedStores: 25_000, webhooks: 20 },
};

export interface TestKey {
  secret: string;
  keyId: string;
  workspaceId: string;
}

export interface KeyOptions {
  scopes?: string[];
  plan?: Partial<Plan>;
  workspaceId?: string;
  label?: string;
  expiresAtMs?: number;
  status?: KeyStatus;
  use?: KeyUse;
  environment?: Environment;
}

export interface StoreOptions {
  etag?: string;
  lastCompletedScanAtMs?: number;
  name?: string;
}

/** The values of filters that exist beside the technologies. */
const knownValues = {
  categories: ['analytics', 'email'],
  platforms: ['shopify', 'woocommerce'],
  countries: ['AT', 'DE', 'ZZ'],
  industries: ['apparel', 'health-and-beauty'],
};

/**
 * Runs before the method. A fault that throws fails the call, one that waits delays it, and one that returns an answer
 * replaces the answer.
 */
export type Fault = (request: never, context: HandlerContext) => unknown;

/** Starts its own metering unless the test gives one. A given metering is not stopped with the backends. */
export async function startBackends(options: { metering?: TestMetering } = {}) {
  const metering = options.metering ?? (await startTestMetering());
  const server: GrpcServer = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });

  const calls = new Map<string, unknown[]>();
  const faults = new Map<string, Fault>();
  const recorded = <H extends object>(handlers: Partial<H>): H =>
    new Proxy(handlers, {
      get: (target, name) => async (request: unknown, context: HandlerContext) => {
        const method = String(name);
        calls.set(method, [...(calls.get(method) ?? []), request]);
        const answer = await faults.get(method)?.(request as never, context);
        if (answer !== undefined) return answer;
        const handler = Reflect.get(target, name) as ((q: unknown, c: unknown) => unknown) | undefined;
        if (!handler) throw new Error(`${method} has no stand-in`);
        return handler(request, context);
      },
    }) as H;

  const keys = new Map<string, VerifyKeyResponse>();
  const keysOf = (workspaceId: string) =>
    [...keys.values()].flatMap(({ key }) => (key && key.workspaceId === workspaceId ? [key] : []));
  server.addService(
    KeysServiceService,
    recorded<KeysHandlers>({
      verifyKey: async ({ keyDigest }) =>
        keys.get(keyDigest.toString('hex')) ?? {
          status: KeyStatus.UNKNOWN,
          key: undefined,
          workspace: undefined,
          plan: undefined,
        },
      listKeys: async ({ workspaceId, includeInactive }) => ({
        keys: keysOf(workspaceId).filter(({ status }) => includeInactive || status === KeyStatus.ACTIVE),
      }),
      getKey: async ({ workspaceId, keyId }) => ({ key: keysOf(workspaceId).find(({ id }) => id === keyId) }),
      getWorkspace: async ({ workspaceId }) => {
        const found = [...keys.values()].find(({ workspace }) => workspace?.id === workspaceId);
        return { workspace: found?.workspace, plan: found?.plan };
      },
      getKeys: async ({ workspaceId, keyIds }) => ({
        keys: keysOf(workspaceId).filter(({ id }) => keyIds.includes(id)),
      }),
    }),
  );

  const stores = new Map<string, { body: Buffer; etag: string; lastCompletedScanAtMs: number }>();
  /** The facts of stores for search, by environment and domain. */
  const facts: Record<Environment, Map<string, StoreFacts>> = { live: new Map(), test: new Map() };
  const factsOf = ({ origin }: HandlerContext) => facts[origin.environment ?? 'live'];
  const technologies: Technology[] = [];
  /** Newest first: the stand-in orders by confirmation, and filters by type and retraction only. */
  const signals: StoreSignal[] = [];
  const isWanted = ({ type, domain, retractedAtMs: at }: StoreSignal, filters: SignalFilters | undefined): boolean => {
    if (filters?.types.length && !filters.types.includes(type)) return false;
    if (filters?.stores && !filters.stores.domains.includes(domain)) return false;
    const { retractedFromMs: from, retractedToMs: to, withRetracted } = filters ?? {};
    if (from === undefined && to === undefined) return at === undefined || withRetracted === true;
    return at !== undefined && at >= (from ?? 0) && at <= (to ?? Number.POSITIVE_INFINITY);
  };
  const signalPage = (fits: (signal: StoreSignal) => boolean, after: SignalPosition | undefined, limit: number) => {
    const fitting = signals.filter(fits);
    const start = after ? fitting.findIndex(({ id }) => id === after.id) + 1 : 0;
    const page = fitting.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = fitting.length > start + limit;
    const next = { atMs: last?.confirmedAtMs ?? 0, id: last?.id ?? '', recordedUntilMs: undefined };
    return { signals: page, next: hasMore && last ? next : undefined };
  };
  /** An ascending page always has a next position. */
  const searchPage = ({ signals, next }: ReturnType<typeof signalPage>, ascending: boolean) => {
    const resumed = { atMs: signals.at(-1)?.confirmedAtMs ?? 1, id: '', recordedUntilMs: undefined };
    return { signals, next: next ?? (ascending ? resumed : undefined), hasMore: next !== undefined };
  };
  server.addService(
    ProfilesServiceService,
    recorded<Handlers<typeof ProfilesServiceService>>({
      getStores: async ({ domains }) => {
        const found = domains.map((domain) => stores.get(domain));
        let offset = 0;
        const slices = found.map((store) => {
          const slice = {
            offset: store ? offset : 0,
            length: store?.body.length ?? 0,
            etag: store?.etag ?? '',
            lastCompletedScanAtMs: store?.lastCompletedScanAtMs ?? 0,
          };
          offset += slice.length;
          return slice;
        });
        return { bodies: Buffer.concat(found.flatMap((store) => (store ? [store.body] : []))), stores: slices };
      },
      getStoreFacts: async ({ domains }, context) => ({
        stores: domains.flatMap((domain) => factsOf(context).get(domain) ?? []),
        domainsCovered: domains.length,
      }),
      listStoreFacts: async ({ afterDomain, limit }, context) => {
        const found = [...factsOf(context).values()].sort((a, b) => (a.domain < b.domain ? -1 : 1));
        const after = found.filter(({ domain }) => domain > afterDomain);
        return { stores: after.slice(0, limit), hasMore: after.length > limit, corpusStores: found.length };
      },
      getHistory: async ({ domain, filters, after, limit }) => {
        const store = stores.get(domain);
        if (!store) return { observation: undefined, signals: [], next: undefined };
        const observation = {
          scope: 'full',
          lastCompletedScanAtMs: store.lastCompletedScanAtMs,
          coverageNote: undefined,
        };
        const fits = (signal: StoreSignal) =>
          signal.domain === domain &&
          isWanted(signal, filters) &&
          signal.effectiveAtMs >= (filters?.effectiveFromMs ?? 0) &&
          signal.effectiveAtMs <= (filters?.effectiveToMs ?? Number.POSITIVE_INFINITY);
        return { observation, ...signalPage(fits, after, limit) };
      },
      searchSignals: async ({ filters, after, limit, ascending, onlyCheck }) =>
        onlyCheck
          ? { signals: [], next: undefined, hasMore: false }
          : searchPage(
              signalPage((signal) => isWanted(signal, filters), after, limit),
              ascending,
            ),
      listSignalPlaces: async ({ filters, after, limit, ascending }) => {
        const page = signalPage((signal) => isWanted(signal, filters), after, limit);
        const { signals: found, next, hasMore } = searchPage(page, ascending);
        const places = found.map(({ domain, confirmedAtMs: atMs, id }) => ({ domain, atMs, id }));
        return { places, next, hasMore, recordedUntilMs: undefined };
      },
      getSignals: async ({ ids }) => ({ signals: ids.flatMap((id) => signals.find((each) => each.id === id) ?? []) }),
      async getTechnology({ slug }) {
        const technology = technologies.find((one) => one.slug === slug);
        if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
        return { technology };
      },
      async resolveValues(values) {
        const known = { technologies: technologies.map(({ slug }) => slug), ...knownValues };
        for (const list of Object.keys(known) as (keyof typeof known)[]) {
          const unknown = values[list].findIndex((value) => !known[list].includes(value));
          if (unknown >= 0) throw unknownValue(`${list}[${unknown}]`, values[list][unknown] ?? '', known[list]);
        }
        return values;
      },
      listTechnologies: async ({ kind, category, q, afterSlug, limit, order }) => {
        const fits = (t: Technology) =>
          (!kind || t.kind === kind) &&
          (!category || t.category === category) &&
          (!q || t.slug.startsWith(q.toLowerCase()) || t.name.toLowerCase().startsWith(q.toLowerCase()));
        const { firstSlugs = [], lastSlugs = [] } = order ?? {};
        const rankOf = (slug: string) => {
          const at = firstSlugs.indexOf(slug);
          return at >= 0 ? at - firstSlugs.length : Number(lastSlugs.includes(slug));
        };
        const compare = (a: string, b: string) => rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b));
        const fitting = technologies
          .filter((t) => fits(t) && (afterSlug === '' || compare(t.slug, afterSlug) > 0))
          .sort((a, b) => compare(a.slug, b.slug));
        return { technologies: fitting.slice(0, limit), hasMore: fitting.length > limit };
      },
    }),
  );

  // The real metering decides. The stand-in only records the calls and applies faults.
  const { client } = metering;
  const forwarded = ({ origin, deadline, abort }: HandlerContext): CallOptions => ({ origin, deadline, abort });
  server.addService(
    MeteringServiceService,
    recorded<MeteringHandlers>({
      reserve: (request, context) => client.reserve(request, forwarded(context)),
      leaseAllowance: (request, context) => client.leaseAllowance(request, forwarded(context)),
      voidCharge: (request, context) => client.voidCharge(request, forwarded(context)),
      recordUsage: (request, context) => client.recordUsage(request, forwarded(context)),
      getBalance: (request, context) => client.getBalance(request, forwarded(context)),
      getUsage: (request, context) => client.getUsage(request, forwarded(context)),
    }),
  );

  /** The outcome of a claim by domain. The default is CLAIMED. */
  const claimOutcomes = new Map<string, ClaimOutcome>();
  const scanRequests: ScanRequested[] = [];
  const jobs = new Map<string, Job>();
  const ownJob = (workspaceId: string, jobId: string): Job => {
    const job = jobs.get(jobId);
    if (job?.workspaceId !== workspaceId) throw new AppError('not_found', 'The workspace has no such job.');
    return job;
  };
  let claimedAtMs = 1;
  server.addService(
    ScanSchedulerServiceService,
    recorded<Handlers<typeof ScanSchedulerServiceService>>({
      claimScans: async ({ workspaceId, chargeId, domains, unit = ScanUnit.LOOKUP_LIVE }) => ({
        claims: domains.map((domain) => {
          const outcome = claimOutcomes.get(domain) ?? ClaimOutcome.CLAIMED;
          const charge = outcome === ClaimOutcome.CLAIMED ? chargeId : 'another';
          const jobId = deriveId('job', workspaceId, charge, domain);
          const created = outcome === ClaimOutcome.CLAIMED && !jobs.has(jobId);
          if (!jobs.has(jobId))
            jobs.set(jobId, jobOf({ id: jobId, workspaceId, domain, unit, createdAtMs: Date.now() }));
          return { jobId, outcome, created, claimedAtMs: claimedAtMs++ };
        }),
      }),
      releaseClaims: async ({ claims }) => {
        for (const { jobId } of claims) jobs.delete(jobId);
        return {};
      },
      requestScans: async ({ requests }) => {
        scanRequests.push(...requests);
        return {};
      },
      getJob: async ({ workspaceId, jobId }) => ({ job: ownJob(workspaceId, jobId) }),
      listJobs: async ({ workspaceId, states, limit, after, jobIds }) =>
        pageOfJobs(
          [...jobs.values()].filter((job) => job.workspaceId === workspaceId && isIn(states, job.state)),
          { limit, after, jobIds },
        ),
      cancelJob: async ({ workspaceId, jobId }) => {
        const job = ownJob(workspaceId, jobId);
        const refunded = job.state === JobState.REQUESTED || job.state === JobState.QUEUED;
        if (refunded || job.state === JobState.RUNNING) {
          Object.assign(job, { state: JobState.CANCELED, refunded, finishedAtMs: Date.now() });
        }
        return { job };
      },
    }),
  );

  const bulkJobs = new Map<string, BulkJobRecord>();
  const ownBulkJob = (workspaceId: string, jobId: string): BulkJobRecord => {
    const found = bulkJobs.get(jobId);
    if (found?.workspaceId !== workspaceId) throw new AppError('not_found', 'The workspace has no such job.');
    return found;
  };
  const isReplay = (type: BulkJobType) => type === BulkJobType.REPLAY;
  const ownJobs = (owner: BulkJobType, { workspaceId, states, types, ...page }: ListBulkJobsRequest) => {
    const own = [...bulkJobs.values()].filter((each) => each.workspaceId === workspaceId).map(({ job }) => job);
    const wanted = own.filter(
      ({ state, type }) => isReplay(type) === isReplay(owner) && isIn(states, state) && isIn(types, type),
    );
    return pageOfJobs(wanted, page);
  };
  server.addService(
    SubscriptionsServiceService,
    recorded<Handlers<typeof SubscriptionsServiceService>>({
      getBulkJob: async ({ workspaceId, jobId }) => ({ job: ownBulkJob(workspaceId, jobId).job }),
      listBulkJobs: async (request) => ownJobs(BulkJobType.ENRICH, request),
      quoteListEnrich: async () => ({ matched: 2, stale: 1, unknown: 3, quote: unitsOf({ lookupCached: 3 }) }),
      startListEnrich: async ({ workspaceId, refresh, requestToken }) => {
        const id = `job_u${requestToken.replace('chg_', '') || bulkJobs.size}`;
        const job = bulkJobs.get(id)?.job ?? bulkJobOf({ id, refresh, state: BulkJobState.QUEUED });
        bulkJobs.set(id, { workspaceId, job, results: [] });
        return { job };
      },
      startExport: async ({ workspaceId, requestToken }) => {
        const id = `job_u${requestToken.replace('chg_', '') || bulkJobs.size}`;
        const queued = { id, type: BulkJobType.EXPORT, scopes: ['read:stores'], state: BulkJobState.QUEUED };
        const job = bulkJobs.get(id)?.job ?? bulkJobOf(queued);
        bulkJobs.set(id, { workspaceId, job, results: [] });
        return { job };
      },
      readExportPart: async ({ workspaceId, jobId, part, fromByte }) => {
        const { parts = [] } = ownBulkJob(workspaceId, jobId);
        const found = parts[part - 1];
        if (!found) throw new AppError('not_found', 'The job has no such part.');
        const pieceStart = fromByte - (fromByte % pieceBytes);
        const piece = found.content.subarray(pieceStart, pieceStart + pieceBytes);
        const described = partOf(found.content, part);
        const gzip = gzipSync(piece);
        return { part: described, format: found.format, pieceStart, pieceBytes: piece.length, gzip };
      },
      cancelBulkJob: async ({ workspaceId, jobId }) => {
        const { job } = ownBulkJob(workspaceId, jobId);
        return { job: Object.assign(job, { state: BulkJobState.CANCELED, finishedAtMs: Date.now() }) };
      },
      listBulkJobResults: async ({ workspaceId, jobId, afterDomain, afterPart = 0, limit }) => {
        const { job, results, parts = [] } = ownBulkJob(workspaceId, jobId);
        const found = results.filter(({ domain }) => domain > afterDomain);
        const described = parts.map(({ content }, at) => partOf(content, at + 1)).slice(afterPart);
        const hasMore = found.length > limit || described.length > limit;
        return { results: found.slice(0, limit), parts: described.slice(0, limit), hasMore, type: job.type };
      },
    }),
  );

  server.addService(
    WebhooksServiceService,
    recorded<Handlers<typeof WebhooksServiceService>>({
      getReplayJob: async ({ workspaceId, jobId }) => ({ job: ownBulkJob(workspaceId, jobId).job }),
      listReplayJobs: async (request) => ownJobs(BulkJobType.REPLAY, request),
      cancelReplayJob: async ({ workspaceId, jobId }) => {
        const { job } = ownBulkJob(workspaceId, jobId);
        return { job: Object.assign(job, { state: BulkJobState.CANCELED, finishedAtMs: Date.now() }) };
      },
    }),
  );

  const address = await server.listen();
  let made = 0;
  return {
    address,
    namespace: metering.namespace,
    metering,
    calls: <T>(method: string): T[] => (calls.get(method) ?? []) as T[],
    forgetCalls: () => calls.clear(),
    /** Resolves when the method has been called this often. */
    called: (method: string, times = 1) =>
      waitUntil(`call ${times} of ${method}`, () => (calls.get(method)?.length ?? 0) >= times),
    faults,
    /** Holds every call of the method until the test releases them. */
    hold(method: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      faults.set(method, () => promise);
      return {
        release() {
          faults.delete(method);
          resolve();
        },
      };
    },
    stores,
    facts,
    technologies,
    signals,
    claimOutcomes,
    scanRequests,
    /** The jobs of scan-scheduler by id; tests add and change them. */
    jobs,
    /** The jobs of subscriptions and webhooks by id; tests add and change them. */
    bulkJobs,
    /** Adds a key. Without `workspaceId` it belongs to a new workspace. */
    addKey(options: KeyOptions = {}): TestKey {
      made++;
      const environment = options.environment ?? 'live';
      const secret = newApiKey(environment);
      const keyId = deriveId('key', secret);
      const workspaceId = options.workspaceId ?? deriveId('ws', secret);
      keys.set(apiKeyDigest(secret).toString('hex'), {
        status: options.status ?? KeyStatus.ACTIVE,
        key: {
          id: keyId,
          workspaceId,
          label: options.label ?? `key ${made}`,
          prefix: secret.slice(0, 13),
          environment,
          scopes: options.scopes ?? ['read:stores', 'write:scans', 'read:jobs'],
          createdAtMs: 1,
          createdBy: 'usr_test',
          preset: '',
          createdFrom: '',
          revokedBy: '',
          use: options.use ?? KeyUse.API,
          expiresAtMs: options.expiresAtMs,
          revokedAtMs: undefined,
          status: options.status ?? KeyStatus.ACTIVE,
        },
        workspace: { id: workspaceId, name: 'Test workspace', planSlug: 'growth', createdAtMs: 1 },
        plan: { ...growth, ...options.plan },
      });
      return { secret, keyId, workspaceId };
    },
    /** Changes the status in the following answers of keys, as a revocation does. */
    setStatus(secret: string, status: KeyStatus) {
      const answer = keys.get(apiKeyDigest(secret).toString('hex'));
      if (!answer?.key) throw new Error('no such key');
      answer.status = status;
      answer.key.status = status;
    },
    addStore(domain: string, options: StoreOptions = {}) {
      const lastCompletedScanAtMs = options.lastCompletedScanAtMs ?? Date.now() - 60_000;
      const scannedAt = new Date(lastCompletedScanAtMs).toISOString();
      const body = {
        ...storeExample,
        domain,
        name: options.name ?? 'Täst „Shop“',
        observation: { ...storeExample.observation, last_completed_scan_at: scannedAt },
      };
      // The extra space is lost when the gateway serialises the body again.
      const bytes = Buffer.from(JSON.stringify(body).replace('"name":', '"name": '));
      stores.set(domain, { body: bytes, etag: options.etag ?? `"${domain}-1"`, lastCompletedScanAtMs });
      return bytes;
    },
    setServing: (serving: boolean) => server.setServing(serving),
    async stop() {
      await server.stop(0);
      if (!options.metering) await metering.stop();
    },
  };
}

/** A job as scan-scheduler returns it; the default state is that before its request is consumed. */
export function jobOf(job: Pick<Job, 'id' | 'workspaceId' | 'domain'> & Partial<Job>): Job {
  return {
    type: 'scan',
    state: JobState.REQUESTED,
    attempts: 0,
    errorCode: '',
    errorMessage: '',
    createdAtMs: 1,
    startedAtMs: undefined,
    finishedAtMs: undefined,
    unit: ScanUnit.LOOKUP_LIVE,
    refunded: false,
    ...job,
  };
}

export interface BulkJobRecord {
  workspaceId: string;
  job: BulkJob;
  /** The results of the job, by domain. */
  results: BulkJobResult[];
  /** The parts of an export. */
  parts?: { content: Buffer; format: ExportFormat }[];
}

/** The bytes of a piece of a part. */
export const pieceBytes = 1_000;

const partOf = (content: Buffer, part: number): ExportPart => ({
  part,
  rows: content.toString().split('\n').length - 1,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** A job as subscriptions returns it. */
export const bulkJobOf = (job: Pick<BulkJob, 'id'> & Partial<BulkJob>): BulkJob => ({
  type: BulkJobType.ENRICH,
  state: BulkJobState.RUNNING,
  total: 2,
  done: 0,
  failed: 0,
  billed: noUnits,
  scopes: [],
  errorCode: '',
  errorMessage: '',
  createdAtMs: 1,
  startedAtMs: undefined,
  finishedAtMs: undefined,
  expiresAtMs: 0,
  refresh: false,
  ...job,
});

const isIn = <Value>(values: readonly Value[], value: Value): boolean => values.length === 0 || values.includes(value);

function pageOfJobs<Row extends { id: string; createdAtMs: number }>(
  rows: readonly Row[],
  page: { limit: number; after: { createdAtMs: number; jobId: string } | undefined; jobIds: readonly string[] },
) {
  const { limit, after, jobIds } = page;
  const keyOf = (createdAtMs: number, id: string) => `${String(createdAtMs).padStart(15, '0')} ${id}`;
  const found = rows
    .filter(({ id }) => isIn(jobIds, id))
    .filter(({ createdAtMs, id }) => !after || keyOf(createdAtMs, id) < keyOf(after.createdAtMs, after.jobId))
    .sort((a, b) => (keyOf(a.createdAtMs, a.id) < keyOf(b.createdAtMs, b.id) ? 1 : -1));
  return { jobs: found.slice(0, limit), hasMore: found.length > limit };
}

export type Backends = Awaited<ReturnType<typeof startBackends>>;
