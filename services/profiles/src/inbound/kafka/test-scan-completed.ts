import type { KeyedSlots } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { type TestScanCompleted, testScanCompleted } from '@shopscope/proto';
import type { TestDependencies } from '../../operations/test-stores/dependencies.ts';
import { mergeTestScans } from '../../operations/test-stores/merge-test-scans.ts';

/** The scans of one transaction. */
const maxBatchSize = 25;

/** Consumes test-observations.v1, in the order of each workspace. `slots` bound the transactions and the reads of the test tenant. */
export const testScanCompletedSubscription = (
  deps: TestDependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Subscription<TestScanCompleted> => ({
  type: testScanCompleted,
  async handle(received) {
    const scans = received.map(({ event, meta: origin }) => ({ event, origin }));
    for (const [workspaceId, own] of Map.groupBy(scans, ({ event }) => event.workspaceId)) {
      for (let first = 0; first < own.length; first += maxBatchSize) {
        const batch = own.slice(first, first + maxBatchSize);
        await slots.run(workspaceId, () => mergeTestScans(deps, workspaceId, batch));
      }
    }
  },
});
