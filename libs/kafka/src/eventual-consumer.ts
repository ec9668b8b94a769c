import { createDeadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { errorLine } from '@shopscope/telemetry';
import { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
import type { Kafka, TopicDefinition } from './kafka.ts';
import { TopicsDifferError } from './topic-differences.ts';

/**
 * Starts a consumer when its topics exist, at once or as soon as Kafka answers. A service that can serve calls without Kafka therefore
 * starts without it.
 *
 * - The first attempt fails, or takes longer than `startWaitMs` -> the call resolves, and attempts continue in the background.
 * - The topics differ from their definitions (see `ensureTopics`) while the call waits -> it rejects, see `requiresTopics`.
 * - They differ later, when the service may serve -> a warning, and the next attempt after {@link differingRetryMs}.
 * - An attempt fails otherwise -> a warning, and the next attempt after {@link retryMs}, until one succeeds.
 * - `stop` while an attempt waits for Kafka -> the attempt ends at once. There is no consumer to stop.
 * - `stop` while the consumer joins its group -> the signal given to `start` aborts. The consumer is stopped as soon as `start` has
 *   resolved.
 */
export interface EventualConsumerOptions {
  kafka: Kafka;
  topics: readonly TopicDefinition[];
  /** Whether the service must not start while the topics differ from their definitions. Default true. */
  requiresTopics?: boolean;
  /**
   * Starts the consumer once the topics exist. Omitted, the call only compares the topics: a service does this before it is ready, so that
   * it replaces no instance if it then exits.
   */
  start?: (abort: AbortSignal) => Promise<EventConsumer>;
  /** The maximum time that the call waits for the first attempt. Default: until the attempt ends. */
  startWaitMs?: number | undefined;
  clock?: Clock | undefined;
}

const retryMs = 2_000;
/** Only an operator changes topics. */
const differingRetryMs = 30_000;
/** How long one attempt waits for the topics. */
const topicsWaitMs = 5_000;

export async function startEventually(options: EventualConsumerOptions): Promise<EventConsumer> {
  const { kafka, topics, requiresTopics = true, start, clock = systemClock } = options;
  const { startWaitMs = Number.POSITIVE_INFINITY } = options;
  const { logger } = kafka.options;
  const stopping = new AbortController();
  const { signal: abort } = stopping;
  const firstAttempt = Promise.withResolvers<void>();
  let consumer: EventConsumer | undefined;
  let mayReject = requiresTopics;

  const attempt = async () => {
    await kafka.ensureTopics(topics, { waitMs: topicsWaitMs, abort });
    abort.throwIfAborted();
    consumer = await start?.(abort);
  };
  const starting = retry(attempt, {
    pauseMs(_, error) {
      if (!(error instanceof TopicsDifferError)) return retryMs;
      return mayReject ? undefined : differingRetryMs;
    },
    abort,
    clock,
    onFailure(error) {
      const fields = { reason: errorLine(error), topics: topics.map(({ topic }) => topic) };
      logger.warn(fields, 'the topics cannot be used yet; trying again');
      firstAttempt.resolve();
    },
  });
  // The retry also rejects when it is stopped.
  const settled = starting.then(firstAttempt.resolve, (error: unknown) => {
    if (error instanceof TopicsDifferError) firstAttempt.reject(error);
    else firstAttempt.resolve();
  });
  await createDeadline(startWaitMs, { clock })
    .race(firstAttempt.promise)
    .catch((error: unknown) => {
      if (error instanceof TopicsDifferError) throw error;
    });
  mayReject = false;

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

/** Consumes events as soon as Kafka answers, see {@link startEventually}. */
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
    start: (abort) => consumeEvents(kafka, { ...options, abort }),
  });
