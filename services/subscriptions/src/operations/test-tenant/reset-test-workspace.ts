import type { Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace, deleteAllOf } from '@shopscope/workspace-deletion';
import type { Dependencies } from '../dependencies.ts';

/**
 * Deletes what a workspace has in the test environment. Its sequence of events goes on: positions of deleted events are refused like those
 * of expired ones.
 *
 * 1. Hide lists and watchlists, free their quotas, remove their rescans from the queue, and save the time, in one transaction. The timer
 *    deletes their stores. Ends of scans, thresholds and webhook states from before this time append no event.
 * 2. Delete jobs, rescans and events, in batches. An execution of a deleted step or rescan finds nothing to save, and bills nothing more.
 *
 * - A batch fails, or the deadline passes -> the call rejects. A repeated call deletes the rest.
 */
export async function resetTestWorkspace(
  deps: Dependencies<'test'>,
  tenant: Tenant<'test'>,
  context: CallContext,
): Promise<void> {
  // Step 1.
  await changeWorkspace(deps, tenant, context, async (tx, now) => {
    await deps.lists.hideAll(tenant, now, tx);
    await deps.watchlists.hideAll(tenant, now, tx);
    await deps.quotas.delete(tenant, tx);
    await deps.rescanQueue.delete(tenant, tx);
    await deps.sequences.reset(tenant, now, tx);
  });
  // Step 2.
  const { jobResults, jobParts, jobSteps, bulkJobs, rescans, events, scanFailures } = deps;
  await deleteAllOf([jobResults, jobParts, jobSteps, bulkJobs, rescans, events], tenant, context.deadline);
  await scanFailures.deleteOf(tenant, context.deadline.timeoutMs());
}
