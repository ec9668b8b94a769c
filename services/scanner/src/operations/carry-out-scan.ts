import { LeaseResult, ObservationOutcome } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import { LeaseLost, ScannerStopping } from '../domain/endings.ts';
import type { ScannerMetrics } from '../metrics.ts';
import type { ObservationPublisher } from '../outbound/events/observations.ts';
import type { HeldLease } from '../outbound/scheduler/leases.ts';
import { type ObserveDomainOptions, observeDomain } from './observe-domain.ts';

export interface CarryOutScanOptions extends ObserveDomainOptions {
  observations: Pick<ObservationPublisher, 'publish'>;
  metrics: ScannerMetrics;
  logger: Logger;
}

const outcomeNames: Record<number, string> = {
  [ObservationOutcome.OBSERVED]: 'observed',
  [ObservationOutcome.UNREACHABLE]: 'unreachable',
  [ObservationOutcome.REFUSED]: 'refused',
};

/**
 * One leased scan, from the first request to the end of the lease. The order is the guarantee:
 * 1. Visit and examine, the lease checked before each fetch. A scanner that dies here leaves a lease that runs out.
 * 2. Check the lease once more, then publish the observation durably. Dying after it: the lease runs out, the scan is
 *    done again under the next sequence, and the corpus merges one observation per scan.
 * 3. Finish the lease as observed.
 * A lost lease publishes nothing and finishes nothing: the scan is somebody else's by then. Never throws.
 */
export async function carryOutScan(
  lease: HeldLease,
  options: CarryOutScanOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { metrics, clock } = options;
  const logger = options.logger.child({
    requestId: lease.origin.requestId,
    scanId: lease.scanId,
    domain: lease.domain,
  });
  const startedMs = clock.monotonicMs();
  let fault = 'scanner_fault';
  metrics.inHand.inc();
  try {
    const task = { ...lease, checkLease: () => lease.ensureHeld() };
    const observation = await observeDomain(task, options, AbortSignal.any([stopping, lease.lost]));
    await lease.ensureHeld();
    fault = 'publish_failed';
    await options.observations.publish(observation, lease.origin);
    await lease.finish(LeaseResult.OBSERVED, '');
    const outcome = outcomeNames[observation.outcome] ?? 'unknown';
    metrics.scans.inc({ outcome, reason: observation.reason });
    logger.info({ outcome, reason: observation.reason, status: observation.statusState }, 'scan done');
  } catch (error) {
    if (error instanceof LeaseLost) {
      metrics.scans.inc({ outcome: 'lost', reason: 'lease_lost' });
      logger.info('the lease was lost; nothing is published');
      return;
    }
    const stopped = error instanceof ScannerStopping;
    const reason = stopped ? 'scanner_stopping' : fault;
    metrics.scans.inc({ outcome: 'abandoned', reason });
    if (!stopped) logger.error({ err: error, reason }, 'the scan could not be carried out');
    await lease.finish(LeaseResult.ABANDONED, reason);
  } finally {
    metrics.inHand.dec();
    metrics.scanDuration.observe((clock.monotonicMs() - startedMs) / 1_000);
  }
}
