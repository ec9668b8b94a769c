import { createKeyedBatcher, type KeyedBatcher } from '@shopscope/async';

export interface WorkspaceChange {
  /** The workspace and its environment. */
  key: string;
  change(): Promise<unknown>;
}

export type WorkspaceChanges = KeyedBatcher<WorkspaceChange, unknown>;

/**
 * Runs the changes of a workspace one after another in this instance, because their transactions would conflict on the document of its
 * quotas. Without the queue, many calls would retry beyond their deadline. Changes of different workspaces run concurrently.
 */
export const createWorkspaceChanges = (): WorkspaceChanges =>
  createKeyedBatcher<WorkspaceChange, unknown>({
    keyOf: ({ key }) => key,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize: 1,
    run: (changes) => Promise.all(changes.map(({ change }) => change())),
  });
