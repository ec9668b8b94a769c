import type { Tx } from '@shopscope/mongo';
import type { Job } from '../domain/job.ts';
import type { Dependencies } from './dependencies.ts';

/** Ends the scan of a canceled job if no other job waits for it. Its scanner loses the lease. An observed scan waits for its merge. */
export async function leaveScan(
  deps: Dependencies,
  { domain, scanId }: Job & { scanId: string },
  at: Date,
  tx: Tx,
): Promise<void> {
  const scan = await deps.scans.lock(domain, tx);
  if (scan?.id !== scanId || scan.state === 'observed') return;
  if ((await deps.jobEnds.remainingOf(scan, tx)).count > 0) return;
  if (scan.lease) await deps.targets.endVisit(domain, scan.lease.expiresAt, tx);
  await deps.scans.end(scan, { outcome: 'failed', leaseLost: true }, at, tx);
}
