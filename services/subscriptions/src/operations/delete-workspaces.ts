import type { Environment } from '@shopscope/environment';
import { deleteWorkspaces as deleteInParts } from '@shopscope/workspace-deletion';
import type { Dependencies } from './dependencies.ts';
import { type WorkspaceDataDependencies, workspaceDataOf } from './workspace-data.ts';

type DeletionDependencies<E extends Environment> = WorkspaceDataDependencies<E> &
  Pick<Dependencies<E>, 'logger' | 'metrics'>;

/** A run of the timer: deletes data of deleted workspaces, in the order of workspace-data.ts. */
export const deleteWorkspaces = <E extends Environment>(
  deps: DeletionDependencies<E>,
  bounds: { maxBatchSize: number; maxPerRun: number },
): Promise<void> => {
  const { deletedWorkspaces, clock, logger, environment } = deps;
  const onOldest = (at: Date | undefined) => deps.metrics.oldestDeletion({ environment, kind: 'workspace' }, at);
  return deleteInParts({ environment, deletedWorkspaces, clock, logger, onOldest }, workspaceDataOf(deps), bounds);
};
