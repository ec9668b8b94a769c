import type { Origin } from '@shopscope/telemetry';
import { jobError } from '../domain/failure.ts';
import type { Dependencies } from './dependencies.ts';
import { endScan, recordEnd } from './end-scan.ts';

export interface Settlement {
  scanId: string;
  domain: string;
  /** Of the observation; 0 when the event does not say. */
  sequence: number;
  /** Closed code when there is nothing to show; null when the profile shows the observation. */
  rejectedBecause: string | null;
}

/**
 * A physical scan has reached the corpus, or could not: its jobs end. It does not matter whether the scanner has
 * finished its lease yet, nor whether the observation is that of an earlier lease of the same scan: what is merged shows.
 * Unknown scans, and those that have ended, are ignored: the event comes at least once, and may come late.
 *
 * A database that was restored from a backup may know neither the scan nor its lease. The event still ends a scan that
 * was waiting when the backup was made, and it raises the domain's sequence: a new lease must not get a sequence that
 * profiles has merged, because profiles rejects such an observation as superseded.
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
