import { consumeEvents, type EventConsumer, startEventually } from '@shopscope/kafka';
import { refundRequested, topics } from '@shopscope/proto';
import type { ConsumerOptions } from './consume-usage.ts';
import { refundRequestedSubscription } from './refund-requested.ts';

/** A group of its own: usage is counted whatever happens to refunds. */
const groupId = 'metering-refunds';

/** Starts the consumer of refund-requests.v1. Kafka is unavailable -> the consumer starts later. */
export function startRefundConsumer(options: ConsumerOptions): Promise<EventConsumer> {
  const { kafka, producer, deps, clock, onFatal } = options;
  return startEventually({
    kafka,
    clock,
    topics: topics.filter(({ topic }) => topic === refundRequested.topic),
    start: (abort) =>
      consumeEvents(kafka, { groupId, subscriptions: [refundRequestedSubscription(deps)], producer, onFatal, abort }),
  });
}
