import type { Clock } from '@shopscope/clock';
import {
  consumeBroadcast,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  startEventually,
} from '@shopscope/kafka';
import { type KeyChanged, keyChanged, scanRequested, topics, usageRecorded } from '@shopscope/proto';
import type { AuthenticateKey } from './authenticate-key.ts';
import { keyChangedSubscription } from './key-changed.ts';

/** The topics that requests and key events depend on. Those of reports are created apart: report-publisher.ts. */
const own: readonly string[] = [keyChanged.topic, scanRequested.topic, usageRecorded.topic];
const ownTopics = topics.filter(({ topic }) => own.includes(topic));

const joinWaitMs = 5_000;

/**
 * Starts the consumer of key events. Every gateway reads all key events.
 *
 * A started gateway reads the events that are published from then on, because its cache is empty. A gateway that lost Kafka
 * for a time also reads the events of that time.
 *
 * Failure: Kafka is unavailable -> the call resolves after {@link joinWaitMs}, and the consumer starts in the background.
 * The gateway serves without key events, because cached keys expire after 30 s.
 */
export function consumeKeyEvents(options: {
  kafka: Kafka;
  producer: EventProducer;
  instanceId: string;
  keys: Pick<AuthenticateKey, 'invalidate'>;
  clock: Clock;
  onFatal(error: unknown): void;
  onEvent(): void;
  /** Called with each change after the cached keys are invalidated. */
  acknowledge(change: KeyChanged): void;
}): Promise<EventConsumer> {
  const { kafka, producer, instanceId, clock, onFatal } = options;
  return startEventually({
    kafka,
    topics: ownTopics,
    clock,
    startWaitMs: joinWaitMs,
    start: (abort) =>
      consumeBroadcast(kafka, {
        name: 'gateway-keys',
        instanceId,
        subscriptions: [keyChangedSubscription(options.keys, options.onEvent, options.acknowledge)],
        producer,
        onFatal,
        abort,
      }),
  });
}
