import type { KeyedSlots } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { TestDependencies } from '../../operations/test-stores/dependencies.ts';
import { resetTestStores } from '../../operations/test-stores/reset-test-stores.ts';

/** Consumes key-events.v1. A workspace is deleted -> the test stores that it has scanned are deleted. Live stores belong to no workspace. */
export const workspaceDeletedSubscription = (
  deps: TestDependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(received) {
    for (const { event } of received) {
      if (event.change !== KeyChange.WORKSPACE_DELETED) continue;
      const workspaceId = parseId('workspace_id', event.workspaceId, 'ws');
      await slots.run(workspaceId, () => resetTestStores(deps, workspaceId));
    }
  },
});
