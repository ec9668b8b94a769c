import type { Clock } from '@shopscope/clock';
import { consumeEvents, type EventConsumer, type EventProducer, type Kafka, startEventually } from '@shopscope/kafka';
import { topics, usageRecorded } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { usageGroup, usageRecordedSubscription } from './usage-recorded.ts';

export interface ConsumerOptions {
  kafka: Kafka;
  /** Publishes dead letters. */
  producer: EventProducer;
  deps: Dependencies;
  clock: Clock;
  onFatal(error: unknown): void;
}

/** Starts the consumer of usage.v1. Kafka is unavailable -> the consumer starts later; Reserve works meanwhile. */
export function startUsageConsumer({ kafka, producer, deps, clock, onFatal }: ConsumerOptions): Promise<EventConsumer> {
  return startEventually({
    kafka,
    clock,
    topics: topics.filter(({ topic }) => topic === usageRecorded.topic),
    start: (abort) =>
      consumeEvents(kafka, {
        groupId: usageGroup,
        subscriptions: [usageRecordedSubscription(deps)],
        producer,
        onFatal,
        abort,
        // Larger batches need fewer transactions; usage may be shown some seconds late.
        gatherMs: 4_000,
      }),
  });
}
