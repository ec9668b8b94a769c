import { runEach } from '@shopscope/async';
import type { Logger } from '@shopscope/telemetry';
import type { Dependencies, TestDependencies } from '../../operations/dependencies.ts';
import { dropClaims } from '../../operations/drop-claims.ts';
import { expireJobs } from '../../operations/expire-jobs.ts';
import { expireLeases } from '../../operations/expire-leases.ts';
import { expireMerges } from '../../operations/expire-merges.ts';
import { refreshStaleProfiles } from '../../operations/refresh-stale-profiles.ts';
import { reportQueue } from '../../operations/report-queue.ts';

/** The bound of each step. The next tick continues. */
const maxBatchSize = 200;

/**
 * Runs the steps that depend only on time.
 *
 * - Concurrency: every step is a conditional write. Any number of instances may therefore tick at the same time, without a leader.
 * - A step fails -> the failure is logged. The other steps run, and the next tick retries.
 */
export async function tick(deps: Dependencies): Promise<void> {
  const operations = { expireLeases, expireMerges, expireJobs, dropClaims, refreshStaleProfiles, reportQueue };
  const steps = Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [name, () => run(deps, maxBatchSize)]),
  );
  await runEach(steps, logFailure(deps.logger));
}

/** As {@link tick}, for the test environment. Its scans have a loop of their own. */
export async function tickTest(deps: TestDependencies): Promise<void> {
  await runEach({ dropTestClaims: () => dropClaims(deps, maxBatchSize) }, logFailure(deps.logger));
}

const logFailure = (logger: Logger) => (step: string, error: unknown) =>
  logger.error({ err: error, step }, 'a step of the tick failed; the next tick tries again');
