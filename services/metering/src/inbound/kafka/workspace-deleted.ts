import { createDeadline } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import type { TestDependencies } from '../../operations/dependencies.ts';
import { endTestAllowances } from '../../operations/generations.ts';
import { identifier } from '../decode.ts';

const timeoutMs = 20_000;

/** Consumes key-events.v1. A workspace is deleted -> its test data is deleted. Its live usage is kept, because it was billed. */
export const workspaceDeletedSubscription = (deps: TestDependencies): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(received) {
    for (const { event } of received) {
      if (event.change !== KeyChange.WORKSPACE_DELETED) continue;
      const deadline = createDeadline(timeoutMs, { clock: deps.clock });
      await endTestAllowances(deps, identifier('workspace_id', event.workspaceId), { deadline });
    }
  },
});
