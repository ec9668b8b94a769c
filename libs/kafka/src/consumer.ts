import { startPeriodicLoop } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { metricsOf } from '@shopscope/telemetry';
import { createBatchChain } from './batch-chain.ts';
import type { Subscription } from './event-type.ts';
import { partitionConcurrency, startMember } from './group-member.ts';
import type { Kafka } from './kafka.ts';
import { createPositions, type PartitionName } from './positions.ts';
import type { EventProducer } from './producer.ts';
import { createStallDetector } from './stall-detector.ts';

/**
 * Consumes events at least once.
 *
 * - Concurrency: the batches of one partition are handled in order. Up to four partitions are handled at the same time.
 * - The process crashes -> the events since the last commit are handled again. Offsets are committed after the handler has succeeded.
 * - An event cannot be decoded, or the handler rejects it (PoisonError or `invalid_request`) -> dead-letter topic. The next events of its
 *   partition are handled.
 * - The handler fails for another reason -> a bounded number of retries in place. Then one event is isolated as the cause and dead-lettered
 *   (see batch-steps/isolate-failing-events.ts), or the batch is read again from the last commit.
 * - The consumer crashes, for example because Kafka is down -> a new consumer replaces it. The number of replacements has no limit.
 * - The consumer is stalled although the broker answers (see stall-detector.ts) -> `onFatal`. The process exits, and its orchestrator
 *   restarts it.
 */
export interface ConsumeOptions {
  groupId: string;
  // biome-ignore lint/suspicious/noExplicitAny: one list holds subscriptions of different events
  subscriptions: Subscription<any>[];
  /** Publishes the dead letters. */
  producer: EventProducer;
  onFatal(error: unknown): void;
  /** Whether a group without commits starts at the first record. Default true. */
  fromBeginning?: boolean;
  /** The maximum number of events per call of a handler. Default 1,000. */
  maxEventsPerBatch?: number;
  /**
   * How long the broker gathers events before it answers a fetch. With a longer time a consumer gets fewer and fuller batches. Default 0:
   * the broker answers at the first event.
   */
  gatherMs?: number;
  /** The maximum time that the call waits for the first join. Default 15 s. */
  joinWaitMs?: number;
  /** Ends the wait for the first join. The consumer keeps running until `stop`. */
  abort?: AbortSignal;
  clock?: Clock;
}

export interface EventConsumer {
  /** Returns the number of events that are not handled yet, over all partitions. */
  lag(): Promise<number>;
  /** Whether this consumer is a member of its group. */
  readonly joined: boolean;
  /** Finishes the current batch, commits it and leaves the group. */
  stop(): Promise<void>;
}

const stallMs = 60_000;
const watchIntervalMs = 10_000;

/**
 * Resolves when the consumer has joined its group, or after `joinWaitMs`. After `joinWaitMs` the consumer keeps trying to join.
 *
 * With `positionsInMemory` nothing is committed. Reading starts at the ends that the partitions have when this function is called. A
 * consumer that joins again continues at its own position.
 */
export async function consumeEvents(
  kafka: Kafka,
  options: ConsumeOptions & { positionsInMemory?: boolean },
): Promise<EventConsumer> {
  const { logger, registry } = kafka.options;
  const { clock = systemClock, fromBeginning = true, maxEventsPerBatch = 1_000, joinWaitMs = 15_000 } = options;
  const groupId = kafka.groupName(options.groupId);
  const topics = options.subscriptions.map(({ type }) => type.topic);
  const stalls = createStallDetector({ clock, stallMs, groupId, concurrency: partitionConcurrency });
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
    gatherMs: Math.min(options.gatherMs ?? 0, kafka.options.maxGatherMs ?? Number.POSITIVE_INFINITY),
    joinWaitMs,
    abort: options.abort,
    subscriptions: options.subscriptions,
    clock,
    positions,
    stalls,
    chain: createBatchChain({
      groupId: options.groupId,
      maxEventsPerBatch,
      producer: options.producer,
      positions,
      logger,
      registry,
      clock,
      onProgress: (topic, partition) => stalls.progressed(`${topic}/${partition}`),
    }),
  });

  const lagHelp = 'Events not yet handled, of the whole group';
  const lagGauge = metricsOf(registry).gauge('kafka_consumer_lag', lagHelp, ['group', 'topic']);
  const watching = startPeriodicLoop({
    intervalMs: watchIntervalMs,
    clock,
    async run(abort) {
      const lags = await positions.lagByPartition().catch(() => undefined);
      if (abort.aborted) return;
      if (!lags) {
        // An old value of this instance would hide that the others have caught up.
        for (const topic of topics) lagGauge.remove({ group: options.groupId, topic });
        return stalls.brokerUnavailable();
      }
      for (const topic of topics) lagGauge.set({ group: options.groupId, topic }, lagOf(topic, lags));
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
      // Not awaited, because a check that waits for the broker must not delay the stop.
      void watching.stop();
      await member.stop();
    },
  };
}

/** Each topic has a lag of its own, so that an alert about production ignores the topics of the test environment. */
function lagOf(topic: string, lags: ReadonlyMap<PartitionName, number>): number {
  return sum([...lags].flatMap(([name, lag]) => (name.startsWith(`${topic}/`) ? [lag] : [])));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
