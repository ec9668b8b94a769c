import { createKeyedBatcher, type KeyedBatcher } from '@shopscope/async';

export interface WorkspaceChange {
  /** Empty if the change concerns all workspaces. */
  workspaceId: string;
  change(): Promise<unknown>;
}

export type WorkspaceChanges = KeyedBatcher<WorkspaceChange, unknown>;

/**
 * Runs the changes of a workspace one after another in this instance, because their transactions would conflict on the head of the audit
 * log. Without the queue, many calls would retry beyond their deadline. Changes of different workspaces run concurrently.
 */
export function createWorkspaceChanges(): WorkspaceChanges {
  return createKeyedBatcher<WorkspaceChange, unknown>({
    keyOf: ({ workspaceId }) => workspaceId,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize: 1,
    run: (changes) => Promise.all(changes.map(({ change }) => change())),
  });
}
