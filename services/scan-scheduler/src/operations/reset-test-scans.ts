import type { Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { TestDependencies } from './dependencies.ts';

/** The jobs that one transaction deletes. */
const maxBatchSize = 500;
/** The pause between two looks for observed scans. */
const pauseMs = 50;
/** The time that the last steps need. */
const marginMs = 1_000;

/**
 * Deletes the jobs of the workspace, its simulated scans and their counts. The next scan of each store has the number 1.
 *
 * 1. Delete the live jobs with their scans. A scan that is observed stays, because its event is on the way to profiles.
 * 2. Delete the ended jobs.
 * 3. Wait until profiles has merged the observed scans. An earlier scan therefore never arrives after the reset of profiles, which follows.
 * 4. Delete the counts, in a transaction that finds no scan.
 *
 * - profiles does not merge -> the call fails as `unavailable`, and the caller repeats it. Each observed scan ends after `mergeWaitMs`.
 * - A job is claimed or queued meanwhile -> steps 1 to 4 delete it if its scan exists before step 4, or the job belongs to the time after the reset.
 * - A request for a deleted job arrives later -> it is ignored, because it is older than the reset.
 */
export async function resetTestScans(
  deps: TestDependencies,
  { workspaceId }: Tenant<'test'>,
  { deadline }: Pick<CallContext, 'deadline'>,
): Promise<void> {
  for (;;) {
    // Steps 1 and 2.
    await deleteJobs(deps, workspaceId, { deadline });
    // Steps 3 and 4: the observed scans and the counts.
    if (await deleteCounts(deps, workspaceId, { deadline })) return;
    if (deadline.remainingMs < marginMs) {
      throw new AppError('unavailable', 'A scan of the test tenant is being merged; retry in a few seconds.');
    }
    await deps.clock.sleep(pauseMs);
  }
}

/**
 * Deletes what {@link resetTestScans} deletes, of a deleted workspace. profiles deletes its stores, so this does not wait for merges: a
 * report about a deleted scan is ignored.
 */
export async function deleteTestScans(
  deps: TestDependencies,
  { workspaceId }: Tenant<'test'>,
  within: Pick<CallContext, 'deadline'>,
): Promise<void> {
  await deleteJobs(deps, workspaceId, within);
  await deps.transact(async (tx) => {
    await deps.simulatedScans.deleteAll(workspaceId, tx);
    await deps.scanCounts.reset(workspaceId, new Date(deps.clock.now()), tx);
  }, within);
}

async function deleteJobs(
  deps: TestDependencies,
  workspaceId: string,
  { deadline }: Pick<CallContext, 'deadline'>,
): Promise<void> {
  // The live jobs.
  while ((await deleteLive(deps, workspaceId, { deadline })) === maxBatchSize);
  // The ended jobs.
  await deps.testJobs.deleteEnded(workspaceId, deadline.timeoutMs());
}

const deleteLive = (deps: TestDependencies, workspaceId: string, within: Pick<CallContext, 'deadline'>) =>
  deps.transact(async (tx) => {
    const { count, scans } = await deps.testJobs.deleteLive(workspaceId, maxBatchSize, tx);
    await deps.simulatedScans.deleteUnobserved(scans, tx);
    return count;
  }, within);

/** Returns false if the workspace has a scan. */
const deleteCounts = (deps: TestDependencies, workspaceId: string, within: Pick<CallContext, 'deadline'>) =>
  deps.transact(async (tx) => {
    if (await deps.simulatedScans.hasAny(workspaceId, tx)) return false;
    await deps.scanCounts.reset(workspaceId, new Date(deps.clock.now()), tx);
    return true;
  }, within);
