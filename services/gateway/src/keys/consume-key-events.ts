import type { Clock } from '@shopscope/clock';
import {
  consumeBroadcast,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  type Subscription,
  startEventually,
} from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged, scanRequested, topicsOf, usageRecorded } from '@shopscope/proto';
import type { AuthenticateKey } from './authenticate-key.ts';

/** The topics that requests and key events depend on. The topics of reports are created separately: report-producer.ts. */
const ownTopics = topicsOf(keyChanged, ...[scanRequested, usageRecorded].flatMap(({ live, test }) => [live, test]));

export const joinWaitMs = 5_000;

/**
 * Starts the consumer of key events. Every gateway reads all key events.
 *
 * A new gateway reads the events that are published after its start, because its cache is empty. A gateway that could not reach
 * Kafka for a time also reads the events of that time.
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
  const handle: Subscription<KeyChanged>['handle'] = async (events) => {
    for (const { event } of events) {
      // The key stays valid until its expiry, which its cached result contains.
      if (event.change === KeyChange.KEY_EXPIRING) continue;
      options.onEvent();
      options.keys.invalidate(event);
      options.acknowledge(event);
    }
  };
  return startEventually({
    kafka,
    topics: ownTopics,
    clock,
    startWaitMs: joinWaitMs,
    start: (abort) =>
      consumeBroadcast(kafka, {
        name: 'gateway-keys',
        instanceId,
        subscriptions: [{ type: keyChanged, handle }],
        producer,
        onFatal,
        abort,
      }),
  });
}
