import type { Received, Subscription } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted } from '@shopscope/proto';
import type { LimitFunction } from 'p-limit';
import type { Dependencies } from '../../operations/dependencies.ts';
import { mergeObservation } from '../../operations/merge-observation.ts';

/**
 * Consumes observations.v1.
 *
 * - Concurrency: the observations of a domain are merged one after the other; `limit` bounds the domains of all
 *   partitions.
 * - One merge fails -> the batch fails and is consumed again. Merging is idempotent.
 * - Retryable and permanent failures in one batch -> the retryable one is thrown, so that no event becomes a dead
 *   letter too early.
 */
export const observationCompletedSubscription = (
  deps: Dependencies,
  limit: LimitFunction,
): Subscription<ObservationCompleted> => ({
  type: observationCompleted,
  async handle(received) {
    const domains = [...Map.groupBy(received, ({ event }) => event.domain).values()];
    const results = await Promise.allSettled(domains.map((events) => limit(() => mergeInOrder(deps, events))));
    const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    if (failures.length > 0) throw failures.find((failure) => !isPermanent(failure)) ?? failures[0];
  },
});

async function mergeInOrder(deps: Dependencies, events: readonly Received<ObservationCompleted>[]): Promise<void> {
  for (const { event, meta } of events) await mergeObservation(deps, event, meta);
}

/** Permanent errors make the consumer search the batch for the failing event. */
function isPermanent(failure: unknown): boolean {
  return (failure as { code?: unknown }).code === 'invalid_request';
}
