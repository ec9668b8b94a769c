import { LeaseResult, ObservationOutcome } from '@shopscope/proto';
import { errorLine, originFields } from '@shopscope/telemetry';
import { LeaseLostError, OptedOutError, PutOffError, ScannerStoppingError } from '../domain/abort-reasons.ts';
import { isUndecided, VisitFailure } from '../domain/reasons.ts';
import type { HeldLease } from '../outbound/scheduler/leases.ts';
import type { Dependencies } from './dependencies.ts';
import { observeDomain, type ScanTask } from './observe-domain.ts';

const outcomeNames: Record<number, string> = {
  [ObservationOutcome.OBSERVED]: 'observed',
  [ObservationOutcome.UNREACHABLE]: 'unreachable',
  [ObservationOutcome.REFUSED]: 'refused',
  [ObservationOutcome.NOT_THE_STORE]: 'not_the_store',
};

/**
 * Carries out one leased scan. Never throws. The order of the steps ensures that a finished scan has a durable observation:
 *
 * 1. Visit the store and examine it. Each request waits for its admission, which renews the lease.
 *    Crash -> the lease expires and the scan is repeated.
 * 2. Check the lease again, then publish the observation durably.
 *    Crash -> the lease expires and the scan is repeated with the next sequence; profiles merges one observation per scan.
 * 3. Finish the lease as observed.
 *
 * - The lease is lost -> nothing is published or finished, because another scanner may hold the scan.
 * - The failure may be ours (undecided) -> nothing is published, and the lease is released with its reason. It costs no attempt.
 * - A target has no capacity, or is opted out -> nothing is published, and the lease is released with this reason.
 * - The scanner stops, or any other failure -> the lease is released with a reason.
 */
export async function carryOutScan(deps: Dependencies, lease: HeldLease, stopping: AbortSignal): Promise<void> {
  const { metrics, clock } = deps;
  const logger = deps.logger.child({
    ...originFields(lease.origin),
    scanId: lease.scanId,
    domain: lease.domain,
  });
  const startedMs = clock.monotonicMs();
  let failureReason = 'scanner_fault';
  metrics.inProgress.inc();
  try {
    // Step 1: the visit.
    const task = { ...lease, checkLease: lease.ensureHeld };
    const observation = await observe(deps, task, AbortSignal.any([stopping, lease.lost]));
    // Step 2: the observation.
    await lease.ensureHeld();
    failureReason = 'publish_failed';
    await deps.observations.publish(observation, lease.origin, lease.permit);
    // Step 3: the end of the lease.
    await lease.finish(LeaseResult.OBSERVED, '');
    const outcome = outcomeNames[observation.outcome] ?? 'unknown';
    metrics.scans.inc({ outcome, reason: observation.reason });
    logger.info({ outcome, reason: observation.reason, status: observation.statusState }, 'scan done');
  } catch (error) {
    if (error instanceof LeaseLostError) {
      metrics.scans.inc({ outcome: 'lost', reason: 'lease_lost' });
      logger.info('the lease was lost; nothing is published');
      return;
    }
    if (error instanceof PutOffError || error instanceof OptedOutError) {
      const reason = error.releasedAs;
      metrics.scans.inc({ outcome: 'abandoned', reason });
      logger.info({ reason }, 'the visit ends without a result');
      await lease.finish(LeaseResult.ABANDONED, reason);
      return;
    }
    const stopped = error instanceof ScannerStoppingError;
    const undecided = isUndecided(error);
    const reason = stopped ? 'scanner_stopping' : undecided ? error.reason : failureReason;
    metrics.scans.inc({ outcome: 'abandoned', reason });
    if (undecided)
      logger.warn({ reason, cause: errorLine(error.cause) }, 'the scan is undecided and will be done again');
    else if (!stopped) logger.error({ err: error, reason }, 'the scan could not be carried out');
    await lease.finish(LeaseResult.ABANDONED, reason);
  } finally {
    metrics.inProgress.dec();
    metrics.scanDuration.observe((clock.monotonicMs() - startedMs) / 1_000);
  }
}

/** Observes the domain. If the site is not reached and our web access is broken, it throws VisitFailure `egress_broken`. */
async function observe(deps: Dependencies, task: ScanTask, abort: AbortSignal) {
  const startedMs = deps.clock.monotonicMs();
  const observing = observeDomain(deps, task, abort);
  const isReached = await observing.then(
    ({ outcome }) => outcome !== ObservationOutcome.UNREACHABLE,
    (error) => !(error instanceof VisitFailure),
  );
  if (!isReached) await deps.egress.ensureWorks(task.domain, startedMs, abort);
  return observing;
}
