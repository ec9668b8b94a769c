import { originFields } from '@shopscope/telemetry';
import { jobError } from '../domain/failure.ts';
import { isQueued, type ScanKey } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { untilEnded } from './end-jobs.ts';
import { endScan, recordEnd } from './end-scan.ts';

/** Fails the jobs of a queued scan whose target is opted out. A concurrent lease wins; renewLease then returns `opted_out`. */
export async function endOptedOut(deps: Dependencies, queued: ScanKey): Promise<void> {
  const error = jobError('opted_out');
  const ended = await untilEnded(() =>
    deps.transact(async (tx) => {
      const scan = await deps.scans.find(queued, tx);
      if (!scan || !isQueued(scan)) return null;
      const nextDueAt = new Date(deps.clock.now());
      const jobs = { withAttempts: 0 };
      return { scan, ...(await endScan(deps, tx, scan, { error, jobs, leaseLost: true, nextDueAt })) };
    }),
  );
  if (!ended) return;
  recordEnd(deps, ended.scan, error, ended.ended);
  const { id: scanId, domain, origin } = ended.scan;
  const fields = { scanId, domain, failed: ended.ended, ...originFields(origin) };
  deps.logger.info(fields, 'the domain is opted out; its scan ended');
}
