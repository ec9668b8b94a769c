import { createDeadline } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { TestDependencies } from '../../operations/dependencies.ts';
import { deleteTestScans } from '../../operations/reset-test-scans.ts';

const timeoutMs = 20_000;

/** Consumes key-events.v1. A workspace is deleted -> its simulated scans are deleted. Its live jobs end, and expire. */
export const workspaceDeletedSubscription = (deps: TestDependencies): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(received) {
    for (const { event } of received) {
      if (event.change !== KeyChange.WORKSPACE_DELETED) continue;
      const workspaceId = parseId('workspace_id', event.workspaceId, 'ws');
      const deadline = createDeadline(timeoutMs, { clock: deps.clock });
      await deleteTestScans(deps, { workspaceId, environment: 'test' }, { deadline });
    }
  },
});
