import type { Dependencies } from '../../operations/dependencies.ts';
import { dropClaims } from '../../operations/drop-claims.ts';
import { expireJobs } from '../../operations/expire-jobs.ts';
import { expireLeases } from '../../operations/expire-leases.ts';
import { expireMerges } from '../../operations/expire-merges.ts';
import { refreshStaleProfiles } from '../../operations/refresh-stale-profiles.ts';
import { reportQueue } from '../../operations/report-queue.ts';

/** Bound of each step; the next tick continues. */
const maxBatchSize = 200;

/**
 * Runs the steps that depend on time only.
 *
 * - Concurrency: every step is a conditional write, so any number of instances may tick at the same time, without a leader.
 * - A step fails -> logged; the other steps run, and the next tick tries again.
 */
export async function tick(deps: Dependencies): Promise<void> {
  const steps = { expireLeases, expireMerges, expireJobs, dropClaims, refreshStaleProfiles, reportQueue };
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(deps, maxBatchSize);
    } catch (error) {
      deps.logger.error({ err: error, step }, 'a step of the tick failed; the next tick tries again');
    }
  }
}
