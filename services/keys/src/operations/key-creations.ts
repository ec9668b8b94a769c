import { createKeyedBatcher, type KeyedBatcher } from '@shopscope/async';

export interface KeyCreation {
  workspaceId: string;
  create(): Promise<void>;
}

export type KeyCreations = KeyedBatcher<KeyCreation, void>;

/**
 * Runs the key creations of a workspace one after another in this instance. Their transactions would conflict on the
 * workspace's document. Different workspaces run concurrently.
 */
export function createKeyCreations(): KeyCreations {
  return createKeyedBatcher<KeyCreation>({
    keyOf: ({ workspaceId }) => workspaceId,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize: 1,
    run: async (creations) => {
      for (const { create } of creations) await create();
      return undefined;
    },
  });
}
