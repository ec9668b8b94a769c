/** Deletes the data of deleted workspaces in bounded steps, and keeps late facts from creating new data. */
export { changeWorkspace } from './change-workspace.ts';
export { deleteSomeOfWorkspace } from './delete-some.ts';
export {
  type DeleteSome,
  type DeletionRun,
  deleteWorkspaces,
  recordDeletion,
  recordDeletions,
  some,
  whenEmpty,
} from './delete-workspaces.ts';
export {
  createDeletedWorkspaceStore,
  type DeletedWorkspaceStore,
  deletedWorkspaceIndexes,
  deletedWorkspaceShardKey,
} from './deleted-workspaces.ts';
export { createQuotaStore, type QuotaStore, type QuotaUses, quotaExceeded, quotaShardKey } from './quotas.ts';
