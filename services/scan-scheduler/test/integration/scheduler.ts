import { createDeadline } from '@shopscope/async';
import { dayMs, ManualClock } from '@shopscope/clock';
import { createPermitSigner, deriveId, developmentSigningKey } from '@shopscope/ids';
import type { EventType, Offsets } from '@shopscope/kafka';
import { connectMongo, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { refundRequested, scanJobEnded } from '@shopscope/proto';
import { mongoOptions, type TestNamespace } from '@shopscope/testing';
import { createDependencies } from '../../src/create-dependencies.ts';
import type { Job } from '../../src/domain/job.ts';
import type { Scan, ScanKey } from '../../src/domain/scan.ts';
import { tick } from '../../src/inbound/timer/tick.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { NextRequest } from '../../src/operations/admit-request.ts';
import { applyMergeOutcomes } from '../../src/operations/apply-merge-outcome.ts';
import { cancelJob } from '../../src/operations/cancel-job.ts';
import { type Claim, claimScans } from '../../src/operations/claim-scans.ts';
import type { Policy } from '../../src/operations/dependencies.ts';
import { finishLease } from '../../src/operations/finish-lease.ts';
import { getJob } from '../../src/operations/get-job.ts';
import { type LeasedScan, leaseScan } from '../../src/operations/lease-scan.ts';
import { renewLease } from '../../src/operations/renew-lease.ts';
import { requestScans } from '../../src/operations/request-scans.ts';
import { collections } from '../../src/outbound/mongo/stores.ts';

const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
export const context = {
  origin,
  get deadline() {
    return createDeadline(5_000);
  },
};

export const policy: Policy = {
  leaseMs: 30_000,
  mergeWaitMs: 120_000,
  claimWaitMs: 60_000,
  visitIntervalMs: 10_000,
  retryBackoffMs: 2_000,
  interruptionGraceMs: 300_000,
  jobTimeLimitMs: 3_540_000,
  pacing: { domainRequestsPerSecond: 4, addressRequestsPerSecond: 5, platforms: [] },
};

/** TTL indexes use the clock of the database, which is ahead of the test's clock. */
const retentionMs = 20 * 365 * dayMs;

export interface ProfiledCommand {
  keysExamined?: number;
  docsExamined?: number;
  planSummary?: string;
}

/** The operations with a real database; the test sets the clock and the positions in the topics. */
export type Scheduler = Awaited<ReturnType<typeof startScheduler>>;

export async function startScheduler(
  namespace: TestNamespace,
  {
    database = 'scan_scheduler',
    databaseClock,
    startMs,
  }: { database?: string; databaseClock?: ManualClock; startMs?: number } = {},
) {
  const clock = new ManualClock(startMs);
  const options = mongoOptions(namespace, database);
  const { logger, registry } = options;
  const mongo = await connectMongo(options);
  await ensureCollections(mongo.db, collections);
  const positions = { end: 0n, committed: 0n, observationsEnd: 1n, observationsRead: 1n };
  const at = (offset: bigint): Offsets => new Map([[0, offset]]);
  const progress = { ends: async () => at(positions.end), consumed: async () => at(positions.committed) };
  const outbox = createOutbox(mongo.db);
  const every = createDependencies({
    mongo,
    outbox,
    clock,
    logger,
    metrics: createMetrics(registry),
    policy,
    retention: {
      retentionMs,
      queueRetentionMs: retentionMs,
      pacingRetentionMs: retentionMs,
      now: () => new Date((databaseClock ?? clock).now()),
    },
    progress: {
      scanRequests: { live: progress, test: progress },
      profileUpdates: progress,
      observations: {
        ends: async () => at(positions.observationsEnd),
        consumed: async () => at(positions.observationsRead),
      },
    },
    signPermit: createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler')),
    workArrived: () => {},
  });
  const deps = every.live;

  const published = async <T>(type: EventType<T>): Promise<T[]> =>
    (await outbox.collection.find({ topic: type.topic }).sort({ sequence: 1 }).toArray()).map(({ value }) =>
      type.decode(value instanceof Uint8Array ? value : value.value()),
    );

  const api = {
    clock,
    deps,
    test: every.test,
    registry,
    positions,
    outbox,
    db: mongo.db,
    claim: async (workspaceId: string, chargeId: string, domain: string): Promise<Claim> =>
      (await claimScans(deps, { workspaceId, chargeId, domains: [domain], unit: 'lookup_live' }, context))[0] as Claim,
    request: (workspaceId: string, chargeId: string, domain: string) =>
      api.requestJob(deriveId('job', chargeId, domain), workspaceId, chargeId, domain),
    requestJob: (jobId: string, workspaceId: string, chargeId: string, domain: string): Promise<void> =>
      requestScans(deps, [
        { request: { jobId, workspaceId, chargeId, domain, unit: 'lookup_live', requestedAtMs: clock.now() }, origin },
      ]),
    /** Claims and requests a job; returns its id. */
    async queue(workspaceId: string, chargeId: string, domain: string): Promise<string> {
      const { jobId } = await api.claim(workspaceId, chargeId, domain);
      await api.request(workspaceId, chargeId, domain);
      return jobId;
    },
    /** As `queue`, for the domains of one charge. */
    async queueAll(workspaceId: string, chargeId: string, domains: readonly string[]): Promise<void> {
      const claims = await claimScans(deps, { workspaceId, chargeId, domains, unit: 'lookup_live' }, context);
      const requests = domains.map((domain, n) => {
        const { jobId } = claims[n] as Claim;
        const request = { jobId, workspaceId, chargeId, domain, unit: 'lookup_live' as const };
        return { request: { ...request, requestedAtMs: clock.now() }, origin };
      });
      await requestScans(deps, requests);
    },
    job: (workspaceId: string, jobId: string): Promise<Job> => getJob(deps, { workspaceId, jobId }, context),
    cancel: (workspaceId: string, jobId: string): Promise<Job> => cancelJob(deps, { workspaceId, jobId }, context),
    published,
    /** The refunds in the outbox, in their order. */
    refunds: () => published(refundRequested.live),
    /** The events about ended jobs in the outbox, in their order. */
    jobEnds: () => published(scanJobEnded.live),
    lease: (scannerId = 'scanner-1'): Promise<LeasedScan | null> => leaseScan(deps, scannerId),
    /** Leases the next due scan; fails when no scan becomes due within the longest back-off of the tests. */
    async leaseNext(scannerId = 'scanner-1'): Promise<LeasedScan> {
      for (let second = 0; second < 120; second++) {
        const scan = await leaseScan(deps, scannerId);
        if (scan) return scan;
        clock.advance(1_000);
      }
      throw new Error('no scan became due');
    },
    renew: (scan: LeasedScan, nextRequest?: NextRequest) =>
      renewLease(deps, { scanId: scan.id, domain: scan.domain, leaseToken: scan.lease.token, nextRequest }, context),
    finish: (scan: LeasedScan, result: 'observed' | 'abandoned' = 'observed', reason = '') =>
      finishLease(
        deps,
        { scanId: scan.id, domain: scan.domain, leaseToken: scan.lease.token, result, reason },
        context,
      ),
    applyMergeOutcome: (
      { id: scanId, domain, sequence: ofScan }: Scan,
      rejectedBecause: string | null = null,
      { sequence = ofScan, profileSequence = 0, completedAtMs = 0 } = {},
    ) => {
      const merge = { scanId, domain, sequence, profileSequence, completedAtMs, rejectedBecause };
      return applyMergeOutcomes(deps, [{ merge, origin }]);
    },
    tick: () => tick(deps),
    /** Returns the entries of MongoDB's profiler for the commands that the work runs on a collection. */
    async commandsOn(collection: string, work: () => Promise<unknown>): Promise<ProfiledCommand[]> {
      const { db } = mongo;
      await db.command({ profile: 2 });
      try {
        await work();
      } finally {
        await db.command({ profile: 0 });
      }
      const profile = db.collection<ProfiledCommand>('system.profile');
      const commands = await profile.find({ ns: `${db.databaseName}.${collection}` }).toArray();
      await profile.drop();
      return commands;
    },
    scan: (scan: ScanKey) => deps.scans.find(scan),
    reset: async () => {
      for (const name of Object.keys(collections)) await mongo.db.collection(name).deleteMany({});
      Object.assign(positions, { end: 0n, committed: 0n, observationsEnd: 1n, observationsRead: 1n });
    },
    stop: () => mongo.close(),
  };
  return api;
}
