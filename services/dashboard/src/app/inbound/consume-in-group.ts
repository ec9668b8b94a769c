import type { Clock } from '@shopscope/clock';
import {
  consumeEventually,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  type Subscription,
} from '@shopscope/kafka';
import { topicsOf } from '@shopscope/proto';

/** The dependencies of every consumer of the dashboard. */
export interface ConsumerParts {
  kafka: Kafka;
  /** Publishes dead letters. */
  producer: EventProducer;
  clock: Clock;
  onFatal(error: unknown): void;
}

/** The start waits for Kafka for this time, because pages do not need Kafka. */
const startWaitMs = 2_000;
/** Events that arrive within this time are handled in one call. */
const gatherMs = 1_000;

/**
 * Starts the consumer of one event. All instances share its work, because they share the database.
 *
 * Failure: Kafka is unavailable -> the call resolves after {@link startWaitMs}, and the consumer starts in the background. Until then,
 * pages show the data that was stored before.
 */
export function consumeInGroup<T>(
  { kafka, producer, clock, onFatal }: ConsumerParts,
  { groupId, subscriptions }: { groupId: string; subscriptions: Subscription<T>[] },
): Promise<EventConsumer> {
  return consumeEventually(kafka, {
    groupId,
    subscriptions,
    topics: topicsOf(...subscriptions.map(({ type }) => type)),
    producer,
    onFatal,
    clock,
    gatherMs,
    startWaitMs,
  });
}
