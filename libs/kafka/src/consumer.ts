import { startPeriodicLoop } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { Gauge } from '@shopscope/telemetry';
import { createBatchHandler } from './batch-handler.ts';
import type { Subscription } from './event-type.ts';
import { startMember } from './group-member.ts';
import type { Kafka } from './kafka.ts';
import { shared } from './metrics.ts';
import { createPositions } from './positions.ts';
import type { EventProducer } from './producer.ts';
import { createStallDetector } from './stall-detector.ts';

/**
 * Consumes events at least once. Each partition's batches are handled in order; the offset moves only after the handler
 * succeeded, so what a crash interrupts is handled again. An event that cannot be decoded, or that the handler refuses
 * for good (PoisonError, or an AppError `invalid_request`), goes to the dead-letter topic with the reason and never
 * blocks its partition. Any other failure is retried in place with back-off, a bounded number of times; then either one
 * event alone is found to be its cause and set aside (see batch-handler.ts), or the batch is read again from the last commit.
 *
 * A consumer that crashed is replaced by a new one, for as long as it takes: Kafka may be away. A consumer that is stalled
 * although the broker answers (see stall-detector.ts) calls `onFatal`: the process ends and its orchestrator starts it again.
 */
export interface ConsumeOptions {
  groupId: string;
  // biome-ignore lint/suspicious/noExplicitAny: subscriptions of different events stand in one list
  subscriptions: Subscription<any>[];
  /** Where dead letters go. */
  producer: EventProducer;
  onFatal(error: unknown): void;
  /** Where a group without commits begins. Default true. */
  fromBeginning?: boolean;
  /** Most events handed to a handler at once. Default 1,000. */
  maxEventsPerBatch?: number;
  /**
   * How long the broker gathers events before it answers a fetch: fewer and fuller batches for a consumer that need not be
   * prompt. Default 0, which is at the first event.
   */
  gatherMs?: number;
  /** How long the call waits for the first join before it resolves all the same. Default 15 s. */
  joinWaitMs?: number;
  /** Ends the wait for the first join. The consumer goes on until `stop`. */
  abort?: AbortSignal;
  clock?: Clock;
}

export interface EventConsumer {
  /** Events not yet handled, over all partitions. */
  lag(): Promise<number>;
  /** True while the group counts this consumer in. */
  readonly joined: boolean;
  /** Finishes the batch in hand, commits, leaves the group. */
  stop(): Promise<void>;
}

const stallMs = 60_000;
const watchIntervalMs = 10_000;

/**
 * Resolves once the consumer has joined its group; without a broker after `joinWaitMs`, and goes on trying then.
 * With `positionsInMemory` nothing is committed: reading starts at the ends of the partitions as they are when this
 * function is called, and a rejoining consumer goes on where it was.
 */
export async function consumeEvents(
  kafka: Kafka,
  options: ConsumeOptions & { positionsInMemory?: boolean },
): Promise<EventConsumer> {
  const { logger, registry } = kafka.options;
  const { clock = systemClock, fromBeginning = true, maxEventsPerBatch = 1_000, joinWaitMs = 15_000 } = options;
  const groupId = kafka.groupName(options.groupId);
  const topics = options.subscriptions.map(({ type }) => type.topic);
  const stalls = createStallDetector({ clock, stallMs, groupId });
  const positions = createPositions(kafka, {
    groupId: options.groupId,
    topics,
    fromBeginning,
    inMemory: options.positionsInMemory ?? false,
  });
  const member = await startMember({
    kafka,
    groupId,
    fromBeginning,
    maxEventsPerBatch,
    gatherMs: options.gatherMs ?? 0,
    joinWaitMs,
    abort: options.abort,
    subscriptions: options.subscriptions,
    clock,
    positions,
    stalls,
    handleBatch: createBatchHandler({
      groupId: options.groupId,
      producer: options.producer,
      logger,
      registry,
      clock,
      onAttempt: (topic, partition) => stalls.progressed(`${topic}/${partition}`),
    }),
  });

  const lagGauge = shared(registry, 'kafka_consumer_lag', () => {
    const [name, help] = ['kafka_consumer_lag', 'Events not yet handled, of the whole group'];
    return new Gauge({ name, help, labelNames: ['group'] as const, registers: [registry] });
  });
  const watching = startPeriodicLoop({
    intervalMs: watchIntervalMs,
    clock,
    async run(abort) {
      const lags = await positions.lagByPartition().catch(() => undefined);
      if (abort.aborted) return;
      if (!lags) return stalls.brokerUnavailable();
      lagGauge.set({ group: options.groupId }, sum(lags.values()));
      const stall = stalls.findStall(lags);
      if (stall) options.onFatal(stall);
    },
    onError: (error) => logger.error({ err: error, groupId }, 'the lag of a consumer could not be checked'),
  });

  return {
    lag: async () => sum((await positions.lagByPartition()).values()),
    get joined() {
      return member.joined;
    },
    async stop() {
      // Not awaited: a check that waits for the broker must not delay the stop.
      void watching.stop();
      await member.stop();
    },
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
