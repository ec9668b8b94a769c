import type { Clock } from '@shopscope/clock';
import {
  consumeBroadcast,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  startEventually,
} from '@shopscope/kafka';
import { keyChanged, scanRequested, topics, usageRecorded } from '@shopscope/proto';
import type { AuthenticateKey } from '../../operations/authenticate-key.ts';
import { onKeyChanged } from './key-changed.ts';

/** The topics that a gateway publishes to or reads. It has no rights on others. */
const own: readonly string[] = [keyChanged.topic, scanRequested.topic, usageRecorded.topic];
const ownTopics = topics.filter(({ topic }) => own.includes(topic));

const joinWaitMs = 5_000;

/**
 * Starts the listener for key events.
 *
 * - Kafka does not answer -> the call resolves after {@link joinWaitMs}, and the start goes on in the background. The
 *   gateway serves without the events, because cached keys expire after 30 s.
 */
export function listenToKeyEvents(options: {
  kafka: Kafka;
  producer: EventProducer;
  instanceId: string;
  keys: Pick<AuthenticateKey, 'invalidate'>;
  clock: Clock;
  onFatal(error: unknown): void;
  heard(): void;
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
        subscriptions: [onKeyChanged(options.keys, options.heard)],
        producer,
        onFatal,
        abort,
      }),
  });
}
