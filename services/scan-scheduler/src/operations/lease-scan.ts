import { randomBytes } from 'node:crypto';
import { originFields } from '@shopscope/telemetry';
import { backgroundSourceOf } from '../domain/background.ts';
import type { Lease, Scan, ScanKey } from '../domain/scan.ts';
import type { VisitTurns } from '../outbound/mongo/scan-queue.ts';
import { beginVisitAdmission } from './admit-visits.ts';
import type { Dependencies } from './dependencies.ts';
import { endOptedOut } from './end-opted-out.ts';
import { placeDueScans } from './place-due-scans.ts';
import { signPermit } from './sign-permit.ts';
import { unparkScans } from './unpark-scans.ts';

export type LeasedScan = Scan & {
  lease: Lease;
  permit: string;
};

/** Other scanners may lease all candidates of a search meanwhile. A call therefore searches several times. */
const maxCandidates = 8;
const maxSearches = 3;
/** The number of candidates after a search whose scans were all parked or opted out. Many such scans then do not delay the others. */
const maxCandidatesBehindParked = 200;

/**
 * Leases the due scan that is next in the order (domain/fair-order.ts). Returns null if no scan is due.
 *
 * - The virtual time is raised before the lease. If the lease is not granted, new scans of idle workspaces start one turn later.
 * - Concurrency: queued → leased is one conditional update. The domain's next sequence and the start of the jobs are in the same
 *   transaction.
 * - A target has no turn -> its scan is parked. A target is opted out -> its scan ends. Then the next scan is tried.
 * - The process is killed after the commit -> the lease expires and the work returns to the queue.
 */
export async function leaseScan(deps: Dependencies, scannerId: string): Promise<LeasedScan | null> {
  await unparkScans(deps);
  let limit = maxCandidates;
  for (let search = 1; search <= maxSearches; search++) {
    await placeDueScans(deps);
    const due = await deps.scanQueue.listReady(new Date(deps.clock.now()), limit);
    const admission = await beginVisitAdmission(deps, due, await deps.optOuts.current());
    let withdrawn = 0;
    try {
      for (const candidate of due) {
        const decision = await admission.decide(candidate);
        if (decision === 'opted_out') await endOptedOut(deps, candidate);
        if (typeof decision === 'string') {
          withdrawn += 1;
          continue;
        }
        await deps.queueStarts.raiseVirtualTime(candidate.start);
        const scan = await tryLease(deps, candidate, decision, scannerId);
        if (scan) return scan;
      }
    } finally {
      await admission.park();
    }
    if (due.length < limit) return null;
    if (withdrawn === due.length) limit = maxCandidatesBehindParked;
  }
  // More scans are due, but the bound of this call is reached.
  deps.workArrived();
  return null;
}

async function tryLease(
  deps: Dependencies,
  candidate: ScanKey,
  turns: VisitTurns,
  scannerId: string,
): Promise<LeasedScan | null> {
  const token = randomBytes(16).toString('hex');
  const nowMs = deps.clock.now();
  const at = new Date(nowMs);
  const lease: Lease = { token, scannerId, expiresAt: new Date(nowMs + deps.policy.leaseMs) };
  const leased = await deps.transact(async (tx) => {
    const scan = await deps.leases.lease(candidate, lease, turns, at, tx);
    if (!scan) return null;
    const notBefore = new Date(nowMs + deps.policy.visitIntervalMs);
    const sequence = await deps.targets.beginVisit(scan.domain, at, notBefore, tx);
    await deps.leases.setSequence(scan, sequence, tx);
    await deps.jobs.start(scan, at, tx);
    return { ...scan, sequence, lease, permit: signPermit(deps, { ...scan, sequence }, lease.expiresAt.getTime()) };
  });
  if (leased) {
    if (!backgroundSourceOf(leased.place))
      deps.metrics.queueAge.observe(Math.max(0, nowMs - leased.dueAt.getTime()) / 1000);
    const { id, domain, sequence, attempts } = leased;
    const fields = { scanId: id, domain, sequence, attempts, scanner: scannerId, ...originFields(leased.origin) };
    deps.logger.info(fields, 'scan leased');
  }
  return leased;
}

/** Undoes a lease that its scanner has not received because it cancelled the call. This costs no attempt. */
export async function undoLease(deps: Dependencies, seen: LeasedScan): Promise<void> {
  await deps.transact(async (tx) => {
    const scan = await deps.leases.requeue(seen, seen.dueAt, tx, { attemptUndone: true });
    if (scan) await deps.jobs.requeue(scan, tx, { attemptUndone: true });
  });
  deps.workArrived();
}
