import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import { isCanonicalDomain } from '../domain/domain.ts';
import type { Job } from '../domain/job.ts';
import { jobStartOf, type Scan } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { insertScan } from './new-scan.ts';
import { createPlaceTaker, type PlaceTaker } from './take-place.ts';

export interface ScanRequest {
  jobId: string;
  workspaceId: string;
  domain: string;
  chargeId: string;
  requestedAtMs: number;
}

/**
 * Queues a claimed job: `requested` → `queued`. The job joins the live scan of its domain, or a new scan.
 *
 * - Concurrency: one transaction, which also writes to the scan, so the scan cannot end between the read and the join.
 * - Repeated request (Kafka and gRPC deliver at least once) -> a job after `requested` does not change.
 * - The claim was dropped meanwhile -> the job is inserted again. If another job of the workspace holds the domain by then,
 *   the job is a follower: it does not hold the domain, waits for the same scan and ends with it.
 */
export async function requestScan(
  deps: Dependencies,
  request: ScanRequest,
  origin: Origin,
  within: { deadline?: Deadline } = {},
): Promise<void> {
  assertValid(request);
  const place = createPlaceTaker(deps, request.workspaceId);
  const queued = await deps.transact(async (tx) => {
    const claim = await deps.jobs.find(request.jobId, tx);
    // Job ids derive from the workspace's charge, so another workspace is an error of the caller.
    if (claim && claim.workspaceId !== request.workspaceId)
      throw invalidField('job_id', 'belongs to another workspace');
    if (claim && claim.state !== 'requested') return undefined;
    const job = claim ?? (await insertLate(deps, tx, request, origin));
    const scan = (await joinScan(deps, tx, job.domain, place)) ?? (await startScan(deps, tx, job, place));
    await deps.jobs.attach(job.id, scan.id, jobStartOf(scan), new Date(deps.clock.now()), tx);
    return { requestId: job.origin.requestId, scanId: scan.id };
  }, within);
  if (!queued) return;
  const { jobId, workspaceId, chargeId, domain } = request;
  deps.logger.info({ ...queued, jobId, workspaceId, chargeId, domain }, 'scan queued');
  deps.workArrived();
}

/** A waiting scan gets the place of the new job if that is an earlier one, so nobody waits longer because others wait too. */
async function joinScan(deps: Dependencies, tx: Tx, domain: string, place: PlaceTaker): Promise<Scan | null> {
  const scan = await deps.scans.join(domain, tx);
  if (scan?.state !== 'queued') return scan;
  const better = await place.takeIfBetter(scan.place, tx);
  if (better) await deps.scans.setPlace(scan.id, better, tx);
  return scan;
}

async function startScan(deps: Dependencies, tx: Tx, job: Job, place: PlaceTaker): Promise<Scan> {
  const { domain, origin } = job;
  const dueAt = new Date(deps.clock.now());
  return insertScan(deps, tx, { domain, origin, attempts: 0, dueAt, place: await place.take(tx) });
}

async function insertLate(deps: Dependencies, tx: Tx, request: ScanRequest, origin: Origin): Promise<Job> {
  const requestedAt = new Date(request.requestedAtMs || deps.clock.now());
  const job: Job = {
    id: request.jobId,
    workspaceId: request.workspaceId,
    chargeId: request.chargeId,
    type: 'scan',
    state: 'requested',
    domain: request.domain,
    holdsPlace: !(await deps.claims.isPlaceHeld(request.workspaceId, request.domain, tx)),
    scanId: null,
    minSequence: 0,
    attempts: 0,
    error: null,
    origin: { requestId: origin.requestId, traceparent: origin.traceparent },
    createdAt: requestedAt,
    claimedAt: requestedAt,
    startedAt: null,
    finishedAt: null,
  };
  await deps.jobs.insert(job, tx);
  return job;
}

function assertValid(request: ScanRequest): void {
  if (!request.jobId.startsWith('job_')) throw invalidField('job_id', 'is not a job id');
  if (!request.workspaceId) throw invalidField('workspace_id', 'is required');
  if (!request.chargeId) throw invalidField('charge_id', 'is required');
  if (!isCanonicalDomain(request.domain)) throw invalidField('domain', 'is not a registrable domain');
}
