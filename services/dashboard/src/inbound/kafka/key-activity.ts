import type { Clock } from '@shopscope/clock';
import {
  consumeEvents,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  PoisonError,
  type Received,
  type Subscription,
  startEventually,
} from '@shopscope/kafka';
import { type KeyActivity, keyActivity, topics } from '@shopscope/proto';
import type { Activity } from '../../operations/activity.ts';

/** All instances share the work, because they share the database. */
export const keyActivityGroup = 'dashboard';

/** How long the start waits for Kafka. The pages do not need it. */
const startWaitMs = 2_000;

/**
 * Starts the consumer of key-activity.v1.
 *
 * Failure: Kafka is unavailable -> the call resolves after {@link startWaitMs}, and the consumer starts in the background.
 * The pages show the hours that were counted before.
 */
export function consumeKeyActivity(options: {
  kafka: Kafka;
  /** Publishes dead letters. */
  producer: EventProducer;
  activity: Pick<Activity, 'record'>;
  clock: Clock;
  onFatal(error: unknown): void;
}): Promise<EventConsumer> {
  const { kafka, producer, activity, clock, onFatal } = options;
  return startEventually({
    kafka,
    clock,
    startWaitMs,
    topics: topics.filter(({ topic }) => topic === keyActivity.topic),
    start: (abort) =>
      consumeEvents(kafka, {
        groupId: keyActivityGroup,
        subscriptions: [keyActivitySubscription(activity)],
        producer,
        onFatal,
        abort,
        gatherMs: 200,
      }),
  });
}

export function keyActivitySubscription(activity: Pick<Activity, 'record'>): Subscription<KeyActivity> {
  return {
    type: keyActivity,
    handle: (received) => activity.record(received.map(checked)),
  };
}

const hourMs = 60 * 60 * 1000;
const idPattern = /^[\w.:-]{1,200}$/;

function checked({ event }: Received<KeyActivity>): KeyActivity {
  const { workspaceId, keyId, instanceId, hourStartMs, sequence } = event;
  for (const id of [workspaceId, keyId, instanceId]) if (!idPattern.test(id)) throw new PoisonError('an id is invalid');
  if (!(hourStartMs > 0 && hourStartMs % hourMs === 0)) throw new PoisonError('hour_start_ms begins no hour');
  if (!(sequence >= 1)) throw new PoisonError('sequence counts from 1');
  return event;
}
