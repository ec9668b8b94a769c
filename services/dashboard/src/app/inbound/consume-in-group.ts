import type { Clock } from '@shopscope/clock';
import {
  consumeEvents,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  type Subscription,
  startEventually,
} from '@shopscope/kafka';
import { topics } from '@shopscope/proto';

/** What every consumer of the dashboard needs. */
export interface ConsumerParts {
  kafka: Kafka;
  /** Publishes dead letters. */
  producer: EventProducer;
  clock: Clock;
  onFatal(error: unknown): void;
}

/** How long the start waits for Kafka. The pages do not need it. */
const startWaitMs = 2_000;
/** Events of this time share one call of the handler. */
const gatherMs = 1_000;

/**
 * Starts the consumer of one topic. All instances share its work, because they share the database.
 *
 * Failure: Kafka is unavailable -> the call resolves after {@link startWaitMs}, and the consumer starts in the background.
 * The pages show what was stored before.
 */
export function consumeInGroup<T>(
  { kafka, producer, clock, onFatal }: ConsumerParts,
  { groupId, subscription }: { groupId: string; subscription: Subscription<T> },
): Promise<EventConsumer> {
  return startEventually({
    kafka,
    clock,
    startWaitMs,
    topics: topics.filter(({ topic }) => topic === subscription.type.topic),
    start: (abort) =>
      consumeEvents(kafka, { groupId, subscriptions: [subscription], producer, onFatal, abort, gatherMs }),
  });
}
