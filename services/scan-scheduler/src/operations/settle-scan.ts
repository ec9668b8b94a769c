import type { Origin } from '@shopscope/telemetry';
import { jobError } from '../domain/failure.ts';
import type { Dependencies } from './dependencies.ts';
import { endScan, recordEnd } from './end-scan.ts';

export interface Settlement {
  scanId: string;
  domain: string;
  /** Sequence of the observation; 0 when the event has none. */
  sequence: number;
  /** Error code when the observation was rejected; null when it was merged. */
  rejectedBecause: string | null;
}

/**
 * Ends a scan and its jobs after profiles has merged or rejected the observation.
 *
 * - FinishLease has not arrived yet, or the observation is of an earlier lease of the scan -> the scan ends all the same.
 * - Unknown or ended scan -> ignored, because events arrive at least once and may arrive late.
 * - Restored database without the scan or its lease -> the event ends a scan that waited at the time of the backup. It also
 *   raises the domain's sequence, because profiles rejects an observation with an already merged sequence.
 */
export async function settleScan(deps: Dependencies, settlement: Settlement, origin: Origin): Promise<void> {
  const { scanId, rejectedBecause } = settlement;
  const error = rejectedBecause === null ? null : jobError(rejectedBecause);
  const settled = await deps.transact(async (tx) => {
    const scan = await deps.scans.find(scanId, tx);
    if (scan && scan.domain !== settlement.domain) return null;
    if ((scan?.sequence ?? 0) < settlement.sequence) {
      await deps.targets.raise(settlement.domain, settlement.sequence, tx);
    }
    if (!scan || (settlement.sequence || scan.sequence) === 0) return null;
    if (scan.state === 'succeeded' || scan.state === 'failed') return null;
    const ended = await endScan(deps, tx, scan, {
      error,
      jobs: { seenBySequence: settlement.sequence || scan.sequence },
      leaseLost: false,
      nextDueAt: new Date(deps.clock.now()),
    });
    return { scan, ended };
  });
  if (!settled) {
    deps.logger.debug({ scanId, requestId: origin.requestId }, 'an update for no live scan was ignored');
    return;
  }
  const { scan, ended } = settled;
  const state = error ? 'failed' : 'succeeded';
  recordEnd(deps, scan, error, ended);
  const fields = {
    scanId,
    domain: scan.domain,
    sequence: settlement.sequence,
    jobs: ended,
    requestId: origin.requestId,
  };
  deps.logger.info({ ...fields, code: error?.code }, `scan ${state}`);
  deps.workArrived();
}
