import { createDeadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { errorLine } from '@shopscope/telemetry';
import { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
import type { Kafka, TopicDefinition } from './kafka.ts';
import { TopicsDifferError } from './topic-differences.ts';

/**
 * Creates topics and starts a consumer, at once or as soon as Kafka answers. A service that can serve calls without Kafka therefore starts
 * without it.
 *
 * - The first attempt fails, or takes longer than `startWaitMs` -> the call resolves, and attempts continue in the background.
 * - The topics differ from their definitions (see `ensureTopics`) -> in the first attempt, the call rejects. Later, `onFatal`.
 * - An attempt fails -> a warning. The next attempt follows after {@link retryMs}, until one succeeds.
 * - `stop` while an attempt waits for Kafka -> the attempt ends at once. There is no consumer to stop.
 * - `stop` while the consumer joins its group -> the signal given to `start` aborts. The consumer is stopped as soon as `start` has
 *   resolved.
 */
export interface EventualConsumerOptions {
  kafka: Kafka;
  /** The topics that are created when they are missing. */
  topics: readonly TopicDefinition[];
  onFatal(error: unknown): void;
  /** Starts the consumer once the topics exist. A service that only publishes omits it. */
  start?: (abort: AbortSignal) => Promise<EventConsumer>;
  /** The maximum time that the call waits for the first attempt. Default: until the attempt ends. */
  startWaitMs?: number | undefined;
  clock?: Clock | undefined;
}

const retryMs = 2_000;
/** How long one attempt waits for the topics. */
const topicsWaitMs = 5_000;

export async function startEventually(options: EventualConsumerOptions): Promise<EventConsumer> {
  const { kafka, topics, onFatal, start, startWaitMs = Number.POSITIVE_INFINITY, clock = systemClock } = options;
  const { logger } = kafka.options;
  const stopping = new AbortController();
  const { signal: abort } = stopping;
  const firstAttempt = Promise.withResolvers<void>();
  let consumer: EventConsumer | undefined;

  const attempt = async () => {
    await kafka.ensureTopics(topics, { waitMs: topicsWaitMs, abort });
    abort.throwIfAborted();
    consumer = await start?.(abort);
  };
  const starting = retry(attempt, {
    pauseMs: (_, error) => (error instanceof TopicsDifferError ? undefined : retryMs),
    abort,
    clock,
    onFailure(error) {
      const fields = { reason: errorLine(error), topics: topics.map(({ topic }) => topic) };
      logger.warn(fields, 'kafka is not there yet; trying again');
      firstAttempt.resolve();
    },
  });
  let isStarting = true;
  // The retry also rejects when it is stopped.
  const settled = starting.then(firstAttempt.resolve, (error: unknown) => {
    if (error instanceof TopicsDifferError && !isStarting) onFatal(error);
    if (error instanceof TopicsDifferError) firstAttempt.reject(error);
    else firstAttempt.resolve();
  });
  await createDeadline(startWaitMs, { clock })
    .race(firstAttempt.promise)
    .catch((error: unknown) => {
      if (error instanceof TopicsDifferError) throw error;
    });
  isStarting = false;

  return {
    async lag() {
      if (consumer) return consumer.lag();
      if (!start) return 0;
      // This instance has read nothing, so all records of the topics count as not handled.
      const ends = await Promise.all(topics.map(({ topic }) => kafka.endOffsets(topic)));
      return ends.flatMap((offsets) => [...offsets.values()]).reduce((sum, end) => sum + Number(end), 0);
    },
    get joined() {
      return consumer?.joined ?? false;
    },
    async stop() {
      stopping.abort(new Error('the consumer is stopping'));
      await settled;
      await consumer?.stop();
    },
  };
}

/** Consumes events as soon as Kafka answers. Missing `topics` are created. */
export const consumeEventually = (
  kafka: Kafka,
  {
    topics,
    startWaitMs,
    clock,
    ...options
  }: Omit<ConsumeOptions, 'clock' | 'abort'> & Pick<EventualConsumerOptions, 'topics' | 'startWaitMs' | 'clock'>,
): Promise<EventConsumer> =>
  startEventually({
    kafka,
    topics,
    startWaitMs,
    clock,
    onFatal: options.onFatal,
    start: (abort) => consumeEvents(kafka, { ...options, abort }),
  });
