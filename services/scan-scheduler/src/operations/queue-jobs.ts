import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import { type Origin, originFields } from '@shopscope/telemetry';
import { backgroundSourceOf } from '../domain/background.ts';
import { type Job, requestedJob, type ScanUnit } from '../domain/job.ts';
import { isQueued, jobStartOf, type Scan } from '../domain/scan.ts';
import type { Dependencies, JobDependencies } from './dependencies.ts';
import { insertScans } from './new-scan.ts';
import { createTakePlaces, type Placing, type TakePlaces } from './take-places.ts';

export interface ScanRequest {
  jobId: string;
  workspaceId: string;
  domain: string;
  chargeId: string;
  unit: ScanUnit;
  requestedAtMs: number;
}

export interface Requested {
  request: ScanRequest;
  origin: Origin;
}

/**
 * Queues claimed jobs, at most one per domain: `requested` → `queued`. A job joins the live scan of its domain, or a new scan.
 *
 * - Concurrency: one transaction, which also writes to the scans. None of them can therefore end between the read and the join.
 * - The request is repeated (Kafka and gRPC deliver at least once) -> a job that is no longer `requested` does not change.
 * - The job was canceled before its request arrived -> it stays canceled. Its charge includes it, so its unit is given back now, once.
 * - The claim was dropped meanwhile -> the job is inserted again. If another job of the workspace holds the domain by then, the job is a
 *   follower: it does not hold the domain, waits for the same scan and ends with it.
 */
export async function queueJobs(
  deps: Dependencies,
  requested: readonly Requested[],
  within: { deadline?: Deadline } = {},
): Promise<void> {
  const takePlaces = createTakePlaces(deps);
  const queued = await deps.transact(async (tx) => {
    const jobs = await openJobs(deps, tx, requested, async (dropped) => dropped);
    if (jobs.length === 0) return [];
    const scans = await joinScans(deps, tx, jobs, takePlaces);
    const attached = jobs.map((job) => ({ job, scan: scans.get(job.domain) as Scan }));
    await deps.jobs.attach(
      attached.map(({ job, scan }) => ({ job, scanId: scan.id, start: jobStartOf(scan) })),
      new Date(deps.clock.now()),
      tx,
    );
    return attached;
  }, within);
  for (const { job, scan } of queued) {
    const { id: jobId, workspaceId, chargeId, domain, origin } = job;
    const fields = { ...originFields(origin), scanId: scan.id, jobId, workspaceId, chargeId, domain };
    deps.logger.info(fields, 'scan queued');
  }
  if (queued.length > 0) deps.workArrived();
}

/** Returns the jobs that are not queued yet. Jobs of dropped claims are inserted again if `select` returns their requests. */
export async function openJobs<E extends Environment>(
  deps: JobDependencies<E>,
  tx: Tx,
  requested: readonly Requested[],
  select: (dropped: readonly Requested[]) => Promise<readonly Requested[]>,
): Promise<Job[]> {
  const idOf = ({ request: { jobId: id, workspaceId } }: Requested) => ({ id, workspaceId });
  const found = await deps.jobs.findAll(requested.map(idOf), tx);
  const absent = requested.filter(({ request }) => !found.has(request.jobId));
  const dropped = absent.length === 0 ? absent : await select(absent);
  // Job ids derive from the workspace's charge. A job of another workspace is therefore an error of the caller.
  if (await deps.jobs.hasForeign(dropped.map(idOf), tx.maxTimeMS)) {
    throw invalidField('job_id', 'belongs to another workspace');
  }
  const held = await deps.claims.heldPlaces(
    dropped.map(({ request }) => request),
    tx,
  );
  const late = dropped.map((each) => lateJob(deps, each, held.has(each.request)));
  await deps.jobs.insert(late, tx);
  const known = requested.flatMap(({ request }) => found.get(request.jobId) ?? []);
  await giveOwedRefunds(deps, tx, known);
  return [...known.filter(({ state }) => state === 'requested'), ...late];
}

/** Gives the units of jobs back that were canceled as claims, after a request has shown that their charge includes them. */
async function giveOwedRefunds<E extends Environment>(
  deps: JobDependencies<E>,
  tx: Tx,
  jobs: readonly Job[],
): Promise<void> {
  const owed = jobs.filter(({ refund }) => refund === 'owed');
  await deps.jobEnds.giveRefunds(owed, tx);
  for (const job of owed) await deps.appendRefund(tx, job, job.origin);
}

/**
 * Returns the scans of the jobs by domain. A waiting scan gets the place of the job that joins it if that place is earlier. Nobody
 * therefore waits longer because others wait, too.
 *
 * A parked scan waits among the parked scans of its queue, and each queue gets one turn of the target per round. The scan therefore moves
 * to the queue of a workspace that has no other scan there. The job then does not wait behind all scans of another workspace.
 */
async function joinScans(
  deps: Dependencies,
  tx: Tx,
  jobs: readonly Job[],
  takePlaces: TakePlaces,
): Promise<Map<string, Scan>> {
  const scans = await deps.scans.join(jobs, tx);
  const firstAt = new Set<string>();
  const isFirstAt = async (target: string, workspaceId: string) => {
    const key = `${workspaceId} ${target}`;
    if (firstAt.has(key) || (await deps.parkedScans.has(target, workspaceId, tx.maxTimeMS))) return false;
    firstAt.add(key);
    return true;
  };
  const placing: Placing[] = [];
  for (const { id: jobId, workspaceId, domain } of jobs) {
    const scan = scans.get(domain);
    // A leased background scan gets the place, too, in case its attempt is lost.
    const keepsPlace = scan && !isQueued(scan) && !backgroundSourceOf(scan.place);
    if (keepsPlace) continue;
    const getsPlace = scan?.parkedFor !== undefined && (await isFirstAt(scan.parkedFor, workspaceId));
    placing.push({ jobId, workspaceId, current: getsPlace ? null : scan?.place });
  }
  const places = await takePlaces(placing, tx);
  const joined = jobs.flatMap(({ id, domain }) => {
    const scan = scans.get(domain);
    const place = places.get(id);
    return scan && place ? [{ scan, place }] : [];
  });
  await deps.scanQueue.setPlaces(joined, tx);
  const dueAt = new Date(deps.clock.now());
  const unscanned = jobs.filter(({ domain }) => !scans.has(domain));
  const started = await insertScans(
    deps,
    tx,
    unscanned.map(({ id, workspaceId, domain, origin }) => {
      return { domain, origin, workspaceIds: [workspaceId], attempts: 0, dueAt, place: places.get(id) };
    }),
  );
  for (const scan of started) scans.set(scan.domain, scan);
  return scans;
}

function lateJob(
  deps: Pick<JobDependencies<Environment>, 'clock'>,
  { request, origin }: Requested,
  isHeld: boolean,
): Job {
  const { jobId: id, workspaceId, chargeId, domain, unit, requestedAtMs } = request;
  const requestedAt = new Date(requestedAtMs || deps.clock.now());
  return requestedJob({ id, workspaceId, chargeId, domain, unit, holdsPlace: !isHeld, origin }, requestedAt);
}
