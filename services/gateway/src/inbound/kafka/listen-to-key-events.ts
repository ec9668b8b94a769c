import type { Clock } from '@shopscope/clock';
import { consumeBroadcast, type EventConsumer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { keyChanged, scanRequested, topics, usageRecorded } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { AuthenticateKey } from '../../operations/authenticate-key.ts';
import { onKeyChanged } from './key-changed.ts';

/**
 * Listens in the background, beginning again until Kafka answers: the gateway serves without it, because what it
 * remembers of keys ends by itself in 30 s. `listening` resolves when the first attempt has joined, or after a bound.
 */
export interface KeyEventListener {
  listening: Promise<void>;
  stop(): Promise<void>;
}

/** What a gateway publishes and hears; the others are not its to see. */
const own: readonly string[] = [keyChanged.topic, scanRequested.topic, usageRecorded.topic];
const ownTopics = topics.filter(({ topic }) => own.includes(topic));

const joinWaitMs = 5_000;
const againMs = 2_000;
const pollMs = 50;
const stopWaitMs = 2_000;

export function listenToKeyEvents(options: {
  kafka: Kafka;
  producer: EventProducer;
  instanceId: string;
  keys: Pick<AuthenticateKey, 'forget'>;
  clock: Clock;
  logger: Logger;
  onFatal(error: unknown): void;
  heard(): void;
}): KeyEventListener {
  const { kafka, producer, instanceId, clock, logger, onFatal } = options;
  const stopped = new AbortController();
  const subscription = onKeyChanged(options.keys, options.heard);

  const start = async (): Promise<EventConsumer | undefined> => {
    while (!stopped.signal.aborted) {
      try {
        await kafka.ensureTopics(ownTopics);
        const consumer = await consumeBroadcast(kafka, {
          name: 'gateway-keys',
          instanceId,
          subscriptions: [subscription],
          producer,
          onFatal,
        });
        if (stopped.signal.aborted) await consumer.stop();
        return consumer;
      } catch (error) {
        logger.warn({ err: error }, 'key events cannot be heard yet; trying again');
        await clock.sleep(againMs, stopped.signal).catch(() => {});
      }
    }
    return undefined;
  };
  const consumer = start();

  const joined = async () => {
    const started = await consumer;
    while (started && !started.joined && !stopped.signal.aborted) await clock.sleep(pollMs, stopped.signal);
  };
  return {
    listening: Promise.race([joined(), clock.sleep(joinWaitMs, stopped.signal)]).catch(() => {}),
    async stop() {
      stopped.abort();
      // A start that still waits for Kafka has nothing to stop.
      const started = await Promise.race([consumer, clock.sleep(stopWaitMs)]);
      await started?.stop();
    },
  };
}
