/** Deletes the data of deleted workspaces in bounded steps, and keeps late facts from creating new data. */
export { changeWorkspace } from './change-workspace.ts';
export { deleteAllOf, deleteSomeOfWorkspace } from './delete-some.ts';
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
  deletedWorkspaceCollection,
} from './deleted-workspaces.ts';
export { createQuotaStore, type QuotaStore, type QuotaUses, quotaCollection, quotaExceeded } from './quotas.ts';
