import { type Clock, systemClock } from '@shopscope/clock';
import { messagesOf } from '@shopscope/telemetry';
import type { EventConsumer } from './consumer.ts';
import type { Kafka, TopicDefinition } from './kafka.ts';

/**
 * Topics and a consumer, now or as soon as Kafka is there. A service that serves calls without Kafka starts without it:
 * after one attempt the caller goes on, and the rest is tried again every {@link retryMs} until it works or is stopped.
 */
export interface EventualConsumerOptions {
  kafka: Kafka;
  /** Created when missing. */
  topics: readonly TopicDefinition[];
  /** Starts the consumer once the topics are there; left out by a service that only publishes. */
  start?: () => Promise<EventConsumer>;
  clock?: Clock;
}

const retryMs = 2_000;
/** How long a service's start waits for Kafka. */
const firstWaitMs = 5_000;

export async function startEventually(options: EventualConsumerOptions): Promise<EventConsumer> {
  const { kafka, topics, start, clock = systemClock } = options;
  const { logger } = kafka.options;
  const stopping = new AbortController();
  let consumer: EventConsumer | undefined;

  const attempt = async (): Promise<boolean> => {
    try {
      await kafka.ensureTopics(topics, { waitMs: firstWaitMs, signal: stopping.signal });
      if (!stopping.signal.aborted) consumer = await start?.();
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return false;
      const fields = { reason: messagesOf(error), topics: topics.map(({ topic }) => topic) };
      logger.warn(fields, 'kafka is not there yet; trying again');
      return false;
    }
  };
  const keepTrying = async () => {
    do await clock.sleep(retryMs, stopping.signal);
    while (!(await attempt()));
  };
  const trying = (await attempt()) ? Promise.resolve() : keepTrying().catch(() => {});

  return {
    async lag() {
      if (consumer) return consumer.lag();
      if (!start) return 0;
      // Nothing has been read by this instance; what the topics hold is not known to be handled.
      const ends = await Promise.all(topics.map(({ topic }) => kafka.endOffsets(topic)));
      return ends.flatMap((offsets) => [...offsets.values()]).reduce((sum, end) => sum + Number(end), 0);
    },
    get joined() {
      return consumer?.joined ?? false;
    },
    async stop() {
      stopping.abort();
      await trying;
      await consumer?.stop();
    },
  };
}
