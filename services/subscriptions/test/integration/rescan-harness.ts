import { createDeadline, createKeyedQueue } from '@shopscope/async';
import { createBalanceCache } from '@shopscope/charging';
import { ManualClock, periodAt } from '@shopscope/clock';
import { type Environment, nameIn, type Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { deriveId, newId } from '@shopscope/ids';
import { connectMongo, createTransact, ensureCollections, type Mongo } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import {
  ClaimOutcome,
  JobState,
  noUnits,
  Quotas,
  type ReserveItem,
  ReserveOutcome,
  type ReserveResult,
  type ScanRequested,
  type UsageRecorded,
  unitsOf,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { mongoOptions, silentTelemetry, type TestNamespace } from '@shopscope/testing';
import { createEventParts } from '../../src/create-event-parts.ts';
import type { RescansChange } from '../../src/domain/rescans.ts';
import type { Watchlist } from '../../src/domain/watchlist.ts';
import { createMetrics } from '../../src/metrics.ts';
import { addStores } from '../../src/operations/add-stores.ts';
import { createWatchlist } from '../../src/operations/create-group.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { findGroup } from '../../src/operations/find-group.ts';
import { watchlistsOf } from '../../src/operations/group-kinds.ts';
import { runRescans } from '../../src/operations/rescans/run-rescans.ts';
import { updateWatchlist } from '../../src/operations/update-group.ts';
import { collections, createStores } from '../../src/outbound/mongo/stores.ts';
import { domainsOf, newWorkspaceId, plenty } from './harness.ts';

export const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;
export const context = (): CallContext => ({ origin, deadline: createDeadline(60_000) });
export const live = (workspaceId: string): Tenant<'live'> => ({ workspaceId, environment: 'live' });

/** A charge as metering stores it: its latest attempt, and whether a usage event has settled the attempt. */
interface Charge {
  attempt: number;
  workspaceId: string;
  keyId: string;
  operation: string;
  units: number;
  isSettled: boolean;
}

/** What an outage makes unavailable: calls of a service, scan requests, or both ways of usage events. */
type Outage = 'scheduler' | 'metering' | 'requests' | 'usage';

const liveStates: ReadonlySet<JobState> = new Set([JobState.REQUESTED, JobState.QUEUED, JobState.RUNNING]);

interface FakeJob {
  id: string;
  workspaceId: string;
  domain: string;
  chargeId: string;
  state: JobState;
  refunded: boolean;
  attempts?: number;
  isJoined?: boolean;
}

/**
 * The services that rescans call, in memory. They have the rules that rescans need: a charge counts once, a workspace
 * has one live job per domain, and a charge finds its own job again.
 */
export class Peers {
  /** The units that workspaces may still spend; infinite by default. */
  readonly allowances = new Map<string, number>();
  readonly charges = new Map<string, Charge>();
  readonly jobs = new Map<string, FakeJob>();
  readonly observations = new Map<string, number>();
  readonly keys = new Map<string, { scopes: string[]; revoked?: boolean; expiresAtMs?: number }>();
  readonly suspended = new Set<string>();
  readonly outages = new Set<Outage>();
  /** Stores for which no scan can be claimed. */
  readonly unclaimable = new Set<string>();
  /** Runs after each reservation, before its response. */
  onReserved = async () => {};
  freshnessDays = 1;
  /** Each key of a paid job, in the order of the requests. */
  readonly requested: ScanRequested[] = [];
  /** The environments of the published events. */
  readonly published = new Set<Environment | null>();
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  clear(): void {
    const { allowances, charges, jobs, observations, keys, suspended, outages, unclaimable } = this;
    const all = [allowances, charges, jobs, observations, keys, suspended, outages, unclaimable];
    for (const each of all) each.clear();
    this.onReserved = async () => {};
    this.requested.length = 0;
    this.published.clear();
    this.freshnessDays = 1;
  }

  /** The units that were billed to a workspace. */
  billed(workspaceId: string): number {
    const settled = [...this.charges.values()].filter((each) => each.workspaceId === workspaceId && each.isSettled);
    return settled.reduce((sum, { units }) => sum + units, 0);
  }

  liveJob(workspaceId: string, domain: string): FakeJob | undefined {
    return [...this.jobs.values()].find(
      (job) => job.workspaceId === workspaceId && job.domain === domain && liveStates.has(job.state),
    );
  }

  endJobs(): FakeJob[] {
    const ended = [...this.jobs.values()].filter(({ state }) => state === JobState.QUEUED);
    for (const job of ended) job.state = JobState.SUCCEEDED;
    return ended;
  }

  get payers(): Dependencies<'live'>['payers'] {
    return {
      find: async ({ workspaceId, keyId }) => {
        const key = this.keys.get(keyId);
        const nowMs = this.#clock.now();
        const isGone = !key || key.revoked || (key.expiresAtMs !== undefined && key.expiresAtMs <= nowMs);
        const plan = { slug: 'test', rpm: 1, concurrency: 1, enrichBatchMax: 1, historyDays: 1 };
        const included = unitsOf({ refreshRequested: 1_000_000 });
        return {
          payer: {
            workspaceId,
            keyId,
            plan: { ...plan, freshnessDays: this.freshnessDays, included, quotas: Quotas.create() },
          },
          scopes: key?.scopes ?? [],
          keyExpiresAt: key?.expiresAtMs === undefined ? null : new Date(key.expiresAtMs),
          fault: isGone ? 'key_revoked' : this.suspended.has(workspaceId) ? 'workspace_suspended' : null,
        };
      },
    };
  }

  get charging(): Dependencies<'live'>['charging'] {
    const metering = {
      reserve: async (item: ReserveItem) => {
        this.#requireAvailable('metering');
        const reserved = this.#reserve(item);
        await this.onReserved();
        return reserved;
      },
      recordUsage: async (event: UsageRecorded) => this.#settle(event),
      voidCharge: async () => ({ counts: false }),
    };
    const scheduler = {
      claimScans: async ({
        workspaceId,
        chargeId,
        domains,
      }: {
        workspaceId: string;
        chargeId: string;
        domains: string[];
      }) => {
        this.#requireAvailable('scheduler');
        if (domains.some((domain) => this.unclaimable.has(domain))) throw new Error('no scan can be claimed');
        return domains.map((domain) => this.#claim(workspaceId, chargeId, domain));
      },
      releaseClaims: async ({ chargeId }: { chargeId: string }) => {
        for (const job of this.jobs.values()) {
          if (job.chargeId === chargeId && job.state === JobState.REQUESTED) this.jobs.delete(job.id);
        }
      },
      cancelJob: async ({ jobId }: { jobId: string }) => {
        const job = this.jobs.get(jobId);
        if (job && liveStates.has(job.state) && job.state !== JobState.RUNNING && !job.isJoined) {
          Object.assign(job, { state: JobState.CANCELED, refunded: true });
        }
        return job;
      },
    };
    return {
      clock: this.#clock,
      metering,
      scheduler,
      profiles: {
        scanTimes: async (domains: string[]) => domains.map((domain) => this.observations.get(domain)),
      },
      events: {
        publishUsage: async (event: UsageRecorded, { environment }: Origin) => {
          this.published.add(environment);
          this.#settle(event);
        },
        publishScans: async (requests: ScanRequested[], { environment }: Origin) => {
          this.published.add(environment);
          this.#requireAvailable('requests');
          for (const request of requests) {
            this.requested.push(request);
            const job = this.jobs.get(request.jobId);
            if (job?.state === JobState.REQUESTED) job.state = JobState.QUEUED;
          }
        },
      },
      balances: createBalanceCache({ metering: metering as never, clock: this.#clock }),
      leases: { charge: async () => undefined },
      onCharge: () => {},
    } as unknown as Dependencies<'live'>['charging'];
  }

  #requireAvailable(called: Outage): void {
    if (this.outages.has(called)) throw new Error(`${called} is unavailable`);
  }

  #reserve({ chargeId, workspaceId, keyId, units }: ReserveItem): ReserveResult {
    const { startMs: periodStartMs, endMs: periodEndMs } = periodAt(this.#clock.now());
    const balance = { periodStartMs, periodEndMs, taken: noUnits, used: undefined, reserved: undefined };
    const result = { attempt: 1, units, periodStartMs, exhaustedUnit: '', lentForMs: 0, balance };
    const charge = this.charges.get(chargeId);
    if (charge?.isSettled) {
      const settled = { units: unitsOf({ refreshRequested: charge.units }), attempt: charge.attempt };
      return { ...result, ...settled, outcome: ReserveOutcome.ALREADY_SETTLED };
    }
    const count = units?.refreshRequested ?? 0;
    const left = (this.allowances.get(workspaceId) ?? Number.POSITIVE_INFINITY) - this.billed(workspaceId);
    if (left < count) return { ...result, outcome: ReserveOutcome.EXHAUSTED, exhaustedUnit: 'refresh_requested' };
    const attempt = (charge?.attempt ?? 0) + 1;
    this.charges.set(chargeId, { attempt, workspaceId, keyId, operation: '', units: count, isSettled: false });
    return { ...result, attempt, outcome: ReserveOutcome.GRANTED };
  }

  #settle({ chargeId, attempt, operation }: UsageRecorded): void {
    this.#requireAvailable('usage');
    const charge = this.charges.get(chargeId);
    if (charge && charge.attempt === attempt) Object.assign(charge, { isSettled: true, operation });
  }

  #claim(workspaceId: string, chargeId: string, domain: string) {
    const own = [...this.jobs.values()].find((job) => job.chargeId === chargeId && job.domain === domain);
    const claimedAtMs = this.#clock.now();
    if (own) return { jobId: own.id, outcome: ClaimOutcome.CLAIMED, created: false, claimedAtMs };
    const holder = this.liveJob(workspaceId, domain);
    if (holder) holder.isJoined = true;
    if (holder) return { jobId: holder.id, outcome: ClaimOutcome.JOINED, created: false, claimedAtMs: 0 };
    const id = deriveId('job', chargeId, domain);
    this.jobs.set(id, { id, workspaceId, domain, chargeId, state: JobState.REQUESTED, refunded: false, attempts: 0 });
    return { jobId: id, outcome: ClaimOutcome.CLAIMED, created: true, claimedAtMs };
  }
}

export type RescanHarness = Awaited<ReturnType<typeof startRescanHarness>>;

/** The operations on rescans with a real database, and called services in memory. The types are those of live, also in the environment test. */
export async function startRescanHarness(namespace: TestNamespace, at: number, environment: Environment = 'live') {
  const own = environment as 'live';
  const clock = new ManualClock(at);
  const peers = new Peers(clock);
  const { logger, registry } = silentTelemetry();
  const mongo: Mongo = await connectMongo({ ...mongoOptions(namespace, 'subscriptions'), poolSize: 50 });
  const { db, client } = mongo;
  await ensureCollections(db, collections);
  const outbox = createOutbox(db);
  const stores = createStores(db, own);
  const transact = createTransact(mongo, { retryDuplicateKeys: true });
  const shared = { environment: own, stores, clock, logger, transact, client };
  const deps: Dependencies<'live'> = {
    ...stores,
    ...createEventParts({ ...shared, outbox, relay: { nudge: () => {} } }),
    clock,
    logger,
    metrics: createMetrics(registry, clock),
    transact,
    changes: createKeyedQueue(),
    payers: peers.payers,
    charging: peers.charging,
    storeSearch: {} as Dependencies<'live'>['storeSearch'],
    readSnapshot: () => Promise.reject(new Error('rescans read no snapshots')),
  } as Dependencies<'live'>;

  const newKey = (scopes = ['write:scans', 'write:watchlists']) => {
    const keyId = newId('key');
    peers.keys.set(keyId, { scopes });
    return keyId;
  };
  const queue = db.collection<{ readyAt: Date }>(nameIn(environment, 'rescan_queue', '_'));
  const run = (of = deps) => runRescans(of, new AbortController().signal);

  return {
    clock,
    peers,
    db,
    deps,
    newKey,
    run,
    /** Another instance, with the same database and services. */
    instance: (): Dependencies<'live'> => ({ ...deps, changes: createKeyedQueue() }),
    async reset(toMs: number) {
      clock.setWall(toMs);
      peers.clear();
      for (const name of Object.keys(collections)) await db.collection(name).deleteMany({});
    },
    /** Moves the clock, and stops at each time at which the timer has work. Runs the timer of every instance there, and then `after`. */
    async pass(ms: number, { of = [deps], after = async () => {} }: PassOptions = {}) {
      const endMs = clock.now() + ms;
      for (let runs = 1; ; runs++) {
        const next = await queue.findOne({ readyAt: { $exists: true } }, { sort: { readyAt: 1 } });
        if (!next || next.readyAt.getTime() > endMs) break;
        if (runs > 2_000) throw new Error('the timer has work without end');
        clock.advance(Math.max(0, next.readyAt.getTime() - clock.now()));
        await Promise.all(of.map(run));
        await after();
      }
      clock.advance(endMs - clock.now());
    },
    /** A watchlist with rescans. */
    async watch(
      count: number,
      {
        days = 1,
        budget,
        keyId = newKey(),
        workspaceId = newWorkspaceId(),
        prefix = 'shop',
        domains = domainsOf(count, prefix),
      }: WatchOptions = {},
    ) {
      const tenant = { workspaceId, environment: own };
      const rescans: RescansChange = { interval: { days }, budget: { refreshRequested: budget }, keyId };
      const creation = { quota: plenty, requestToken: '', name: 'Competitors', signalTypes: [], technologies: [] };
      const { id } = await createWatchlist(deps, tenant, { ...creation, rescans }, context());
      for (let first = 0; first < count; first += 2_000) {
        const added = domains.slice(first, first + 2_000).map((domain) => ({ domain }));
        await addStores(deps, watchlistsOf(deps), tenant, { id, stores: added, quota: plenty }, context());
      }
      const watched = { tenant, id, keyId, workspaceId, domains };
      return {
        ...watched,
        get: (): Promise<Watchlist> => findGroup(watchlistsOf(deps), tenant, id, context()),
        update: (change: Partial<Parameters<typeof updateWatchlist>[2]>) =>
          updateWatchlist(
            deps,
            tenant,
            { watchlistId: id, rescans: { interval: undefined, budget: undefined, keyId: '' }, ...change },
            context(),
          ),
      };
    },
    /** The types of the workspace's events, with the reasons of pauses. */
    async eventsOf(workspaceId: string): Promise<string[]> {
      const rows = await db
        .collection<{ type: string; data: string }>(nameIn(environment, 'events', '_'))
        .find({ workspaceId })
        .sort({ sequence: 1 })
        .toArray();
      return rows.map(({ type, data }) => [type, JSON.parse(data).reason ?? []].flat().join(' '));
    },
    async stop() {
      await deps.waits.stop();
      await mongo.close();
    },
  };
}

interface PassOptions {
  of?: Dependencies<'live'>[];
  after?(): Promise<unknown>;
}

export interface WatchOptions {
  days?: number;
  budget?: number;
  keyId?: string;
  workspaceId?: string;
  prefix?: string;
  domains?: string[];
}
