import type { Received, Subscription } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { mergeObservation } from '../../operations/merge-observation.ts';
import type { Limiter } from './limiter.ts';

/**
 * observations.v1: a domain's observations one after another, several domains at once, over all partitions no more than
 * `limit` allows. Whatever fails leaves the batch unhandled; merging an observation again changes nothing, so the batch
 * may be repeated.
 */
export const observationCompletedSubscription = (
  deps: Dependencies,
  limit: Limiter,
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

/** Poison is looked for one event at a time, which waits until nothing else is wrong. */
function isPermanent(failure: unknown): boolean {
  return (failure as { code?: unknown }).code === 'invalid_request';
}
