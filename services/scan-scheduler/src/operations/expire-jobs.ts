import { originFields } from '@shopscope/telemetry';
import { jobError } from '../domain/failure.ts';
import type { ScanKey } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { endJobs, untilEnded } from './end-jobs.ts';

/**
 * Fails the jobs that have reached their time limit, at most `maxBatchSize` per run. If the last job of a scan ends, the scan ends, too.
 *
 * - The observation of a job is durable and waits for its merge -> the job continues, because profiles may only be late.
 * - The scan is leased -> its scanner loses the lease at its next call. The domain is not visited before the lease would have expired,
 *   because a request may be in progress.
 * - Concurrency: the transaction writes to the scan, so a concurrent join does not leave a job without a scan.
 */
export async function expireJobs(deps: Dependencies, maxBatchSize: number): Promise<void> {
  const before = new Date(deps.clock.now() - deps.policy.jobTimeLimitMs);
  for (const scan of await deps.overdueJobs.listScans(before, maxBatchSize)) {
    await expireJobsOf(deps, scan, before);
  }
}

async function expireJobsOf(deps: Dependencies, { id: scanId, domain }: ScanKey, before: Date): Promise<void> {
  const at = new Date(deps.clock.now());
  const expired = await untilEnded(() =>
    deps.transact(async (tx) => {
      const scan = await deps.scans.lock(domain, tx);
      if (scan?.id !== scanId) return null;
      const isObserved = scan.state === 'observed';
      const which = { claimedBefore: before, notSeenBy: isObserved ? scan.sequence : undefined };
      const error = jobError(scan.interruptedBy ?? 'expired', 'abandoned');
      const jobs = await endJobs(deps, tx, scan, { which, error, at });
      if (!jobs.hasMore && !isObserved && (await deps.jobEnds.remainingOf(scan, tx)).count === 0) {
        if (scan.lease) await deps.targets.endVisit(domain, scan.lease.expiresAt, tx);
        await deps.scans.end(scan, { outcome: 'failed', leaseLost: true }, at, tx);
      }
      return { scan, code: error.code, ...jobs };
    }),
  );
  if (!expired || expired.ended === 0) return;
  const { scan, code, ended: failed } = expired;
  deps.metrics.jobsEnded.inc({ state: 'failed', code }, failed);
  const { sequence, origin } = scan;
  deps.logger.warn(
    { scanId, domain, sequence, code, failed, ...originFields(origin) },
    'jobs reached their time limit',
  );
}
