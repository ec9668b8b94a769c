import type { KeyedSlots } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted, permitHeader } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { maxObservationsPerMerge } from '../../operations/merge-observations.ts';
import { mergeScans } from '../../operations/merge-scans.ts';
import { refuseObservation } from '../../operations/refuse-observation.ts';

/**
 * Consumes observations.v1.
 *
 * - Concurrency: the observations of a partition are merged in their order, many in one transaction. `slots` bound the
 *   transactions of all partitions and of imports together.
 * - An observation is not permitted -> it becomes a dead letter. The others of its batch are merged.
 * - One merge fails -> the batch fails and is consumed again. Merging is idempotent.
 * - An event can never be merged -> its transaction does not begin, and the consumer searches the batch for the event.
 */
export const observationCompletedSubscription = (
  deps: Dependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Subscription<ObservationCompleted> => ({
  type: observationCompleted,
  refusalOf: (received) => {
    const { event, key, appendedAtMs } = received;
    const { scanId, domain, sequence } = event;
    return refuseObservation(deps, {
      scanId,
      domain,
      sequence,
      key,
      appendedAtMs,
      permit: received.header(permitHeader),
    });
  },
  async handle(received) {
    for (let first = 0; first < received.length; first += maxObservationsPerMerge) {
      const together = received.slice(first, first + maxObservationsPerMerge);
      await slots.run('merge', () =>
        mergeScans(
          deps,
          together.map(({ event, meta }) => ({ event, origin: meta })),
        ),
      );
    }
  },
});
