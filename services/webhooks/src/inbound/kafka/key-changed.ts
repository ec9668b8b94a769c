import type { Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { recordDeletions } from '@shopscope/workspace-deletion';
import type { EveryEnvironment } from '../../operations/dependencies.ts';

/** Consumes key-events.v1. A workspace is deleted -> its deletion is recorded in every environment. */
export const keyChangedSubscription = (every: EveryEnvironment): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(batch) {
    for (const { event } of batch) {
      if (event.change !== KeyChange.WORKSPACE_DELETED) continue;
      await recordDeletions(every, parseId('workspace_id', event.workspaceId, 'ws'), new Date(event.atMs));
    }
  },
});
