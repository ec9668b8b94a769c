import type { Environment } from '@shopscope/environment';
import { type DeleteSome, some, whenEmpty } from '@shopscope/workspace-deletion';
import type { Stores } from '../outbound/mongo/stores.ts';
import type { Dependencies } from './dependencies.ts';
import { cancelJobs } from './jobs/cancel-job.ts';
import type { EndDependencies } from './jobs/end-job.ts';

export type WorkspaceDataDependencies<E extends Environment> = Stores<E> &
  EndDependencies<E> &
  Pick<Dependencies<E>, 'transact' | 'clock'>;

/**
 * Everything that a workspace has, in the order of its deletion. Each part begins when the one before it is empty. Work
 * that changes other data ends first. The outbox is not included, because its relay publishes and deletes every row. Fan-outs
 * and failures of scans are not included, because they belong to a store.
 */
export const workspaceDataOf = <E extends Environment>(
  deps: WorkspaceDataDependencies<E>,
): readonly DeleteSome<E>[] => [
  stopWork(deps),
  // The timer deletes the stores of hidden groups, and then the groups.
  whenEmpty(deps.lists),
  whenEmpty(deps.watchlists),
  some(deps.jobResults),
  some(deps.jobParts),
  some(deps.jobSteps),
  some(deps.bulkJobs),
  some(deps.events),
  (tenant, _, { maxTimeMS }) => deps.quotas.delete(tenant, { maxTimeMS }),
  (tenant, _, { maxTimeMS }) => deps.sequences.delete(tenant, maxTimeMS),
  // Visits cancel the scans of withdrawn rescans. The rescans that are left at this point are deleted.
  (tenant, limit, run) => (run.isSettled ? some(deps.rescans) : whenEmpty(deps.rescans))(tenant, limit, run),
  (tenant, _, { maxTimeMS }) => deps.rescanQueue.delete(tenant, { maxTimeMS }),
];

/** Hides the groups, withdraws the rescans and cancels the jobs. A step that may be billed ends before its job. */
const stopWork =
  <E extends Environment>(deps: WorkspaceDataDependencies<E>): DeleteSome<E> =>
  async (tenant, _, { now, maxTimeMS }) => {
    const { lists, watchlists, rescans, rescanQueue, bulkJobs, transact } = deps;
    await lists.hideAll(tenant, now, { maxTimeMS });
    await watchlists.hideAll(tenant, now, { maxTimeMS });
    await transact(async (tx) => {
      if (await rescans.withdrawAll(tenant, now, tx)) await rescanQueue.wake(tenant, now, now, tx);
    });
    await cancelJobs(deps, tenant);
    return { deleted: 0, isEmpty: (await bulkJobs.listActive(tenant, undefined, 1, maxTimeMS)).length === 0 };
  };
