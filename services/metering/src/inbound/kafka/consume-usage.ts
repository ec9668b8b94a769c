import type { Clock } from '@shopscope/clock';
import { consumeEvents, type EventConsumer, type EventProducer, type Kafka, startEventually } from '@shopscope/kafka';
import { topics, usageRecorded } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { usageGroup, usageRecordedSubscription } from './usage-recorded.ts';

export interface UsageConsumerOptions {
  kafka: Kafka;
  /** Where dead letters go. */
  producer: EventProducer;
  deps: Dependencies;
  clock: Clock;
  onFatal(error: unknown): void;
}

/** The consumer of usage.v1; reservations are decided while Kafka is away, so the service does not wait for it. */
export function startUsageConsumer({
  kafka,
  producer,
  deps,
  clock,
  onFatal,
}: UsageConsumerOptions): Promise<EventConsumer> {
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
        // Usage is shown seconds later anyway; a transaction and a commit per fifth of a second cost little.
        gatherMs: 200,
      }),
  });
}
