import type { Clock } from '@shopscope/clock';
import { consumeEvents, type EventConsumer, type EventProducer, type Kafka, startEventually } from '@shopscope/kafka';
import { keyActivity, topics } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { activityGroup, keyActivitySubscription } from './key-activity.ts';

export interface KeyActivityConsumerOptions {
  kafka: Kafka;
  /** Publishes dead letters. */
  producer: EventProducer;
  deps: Pick<Dependencies, 'clock' | 'keys'>;
  clock: Clock;
  onFatal(error: unknown): void;
}

/** Starts the consumer of key-activity.v1. Kafka is unavailable -> the consumer starts later; times of last use stay as they are. */
export function startKeyActivityConsumer({
  kafka,
  producer,
  deps,
  clock,
  onFatal,
}: KeyActivityConsumerOptions): Promise<EventConsumer> {
  return startEventually({
    kafka,
    clock,
    topics: topics.filter(({ topic }) => topic === keyActivity.topic),
    start: (abort) =>
      consumeEvents(kafka, {
        groupId: activityGroup,
        subscriptions: [keyActivitySubscription(deps)],
        producer,
        onFatal,
        abort,
        // Larger batches need fewer writes; a time of last use may be shown some seconds late.
        gatherMs: 1_000,
      }),
  });
}
