import type { KeyedSlots } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { type TestScanCompleted, testScanCompleted } from '@shopscope/proto';
import type { TestDependencies } from '../../operations/test-stores/dependencies.ts';
import { mergeTestScan } from '../../operations/test-stores/merge-test-scan.ts';

/** Consumes test-observations.v1, in the order of each workspace. `slots` bound the transactions and the reads of the test tenant. */
export const testScanCompletedSubscription = (
  deps: TestDependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Subscription<TestScanCompleted> => ({
  type: testScanCompleted,
  async handle(received) {
    for (const { event, meta: origin } of received) {
      await slots.run(event.workspaceId, () => mergeTestScan(deps, { event, origin }));
    }
  },
});
