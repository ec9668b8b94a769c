import { untilAborted, withTimeout } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { errorLine } from '@shopscope/telemetry';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { BatchChain } from './batch-chain.ts';
import type { Subscription } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import type { Positions } from './positions.ts';
import type { StallDetector } from './stall-detector.ts';

/**
 * Keeps one member in a consumer group until {@link GroupMember.stop}.
 *
 * - The consumer crashes -> a new consumer replaces it after a back-off of 0.2 to 5 s. The crashed one is not reused, because a crashed
 *   kafkajs consumer may never recover.
 * - `stop` -> the current batch ends and is committed, and the member leaves the group. Bound: {@link stopTimeoutMs}.
 * - A member joins or leaves -> all partitions of the group stop until every member has joined again. kafkajs has neither static membership nor
 *   cooperative rebalancing. In a rollout of six members, a partition stood still for 5 to 16 s when pods were replaced one by one. It stood still
 *   for 0 to 2 s when all new pods joined before all old ones left. This is the order of the Deployments (maxSurge: 100%) if the new pods
 *   start within minReadySeconds of each other.
 */
export interface GroupMember {
  readonly joined: boolean;
  stop(): Promise<void>;
}

export interface GroupMemberOptions {
  kafka: Kafka;
  /** The group's name in the cluster, with the prefix. */
  groupId: string;
  fromBeginning: boolean;
  gatherMs: number;
  joinWaitMs: number;
  /** Ends the wait for the first join. */
  abort?: AbortSignal | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: one list holds subscriptions of different events
  subscriptions: readonly Subscription<any>[];
  chain: BatchChain;
  positions: Positions;
  stalls: StallDetector;
  clock: Clock;
}

/**
 * The broker answers a fetch at once when it has gathered this many bytes. One partition must be able to reach this number. Otherwise each
 * fetch of a single busy partition would wait.
 */
const gatherBytes = 3 * 1024 * 1024;
const heartbeatMs = 2_000;
/** Added partitions are consumed after this time. */
const metadataMaxAgeMs = 30_000;
/** The maximum number of partitions that kafkajs hands over at the same time. */
export const partitionConcurrency = 4;
const maxBackoffMs = 5_000;
/** The time limit of a stop, in case the broker does not answer or a handler does not end. */
const stopTimeoutMs = 10_000;

/** Resolves at the first join. Without a join, it resolves after `joinWaitMs` or when `abort` aborts. */
export async function startMember(options: GroupMemberOptions): Promise<GroupMember> {
  const { kafka, groupId, stalls, positions, clock } = options;
  const { logger } = kafka.options;
  const byTopic = new Map(options.subscriptions.map((each) => [kafka.topicName(each.type.topic), each]));
  const stopping = new AbortController();
  const firstJoin = Promise.withResolvers<void>();
  let current: Consumer | undefined;
  let joined = false;
  let crashes = 0;
  let hasJoined = false;
  let ownedNames: string[] = [];

  const eachBatch = async (payload: EachBatchPayload) => {
    const { batch } = payload;
    const subscription = byTopic.get(batch.topic);
    if (!subscription) return;
    const name = `${subscription.type.topic}/${batch.partition}`;
    // Heartbeats keep the membership while a handler takes a long time.
    const beat = setInterval(() => void payload.heartbeat().catch(() => {}), heartbeatMs);
    stalls.started(name);
    try {
      await options.chain(subscription, payload);
    } finally {
      stalls.ended(name);
      clearInterval(beat);
    }
  };

  const entered = () => {
    stalls.joined(ownedNames);
    joined = true;
  };

  const build = (crashed: (error: unknown) => void): Consumer => {
    const consumer = kafka.client.consumer({
      groupId,
      sessionTimeout: 10_000,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 15_000,
      minBytes: options.gatherMs > 0 ? gatherBytes : 1,
      maxBytesPerPartition: gatherBytes,
      // Without gathering, the first event ends the wait at once. A fetch omits the partitions whose batches are being handled. The next
      // events of those partitions wait until that fetch ends.
      maxWaitTimeInMs: options.gatherMs > 0 ? options.gatherMs : 500,
      metadataMaxAge: metadataMaxAgeMs,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: async () => false },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const owned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition, name: `${byTopic.get(topic)?.type.topic}/${partition}` })),
      );
      for (const { topic, partition, name } of owned) {
        const next = positions.inMemory?.get(name);
        if (next !== undefined) consumer.seek({ topic, partition, offset: String(next) });
        // The partition was added after this process read the ends, so all of its events are new.
        else if (positions.inMemory) consumer.seek({ topic, partition, offset: '0' });
      }
      ownedNames = owned.map(({ name }) => name);
      entered();
      hasJoined = true;
      crashes = 0;
      firstJoin.resolve();
    });
    // A new coordinator that is still loading the group refuses the join of a member of that group. kafkajs then goes on as before,
    // and the loaded group accepts its heartbeats, without a new join.
    consumer.on(consumer.events.HEARTBEAT, () => {
      if (!joined && !stopping.signal.aborted) entered();
    });
    const left = () => {
      joined = false;
      stalls.left();
    };
    consumer.on(consumer.events.REBALANCING, left);
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      left();
      crashed(payload.error);
    });
    return consumer;
  };

  /** Runs one consumer until it crashes or is stopped. A consumer that is stopped during its start never runs. */
  const runConsumer = async () => {
    const { signal: abort } = stopping;
    await untilAborted(abort, positions.start());
    const crash = Promise.withResolvers<never>();
    crash.promise.catch(() => {});
    current = build(crash.reject);
    await current.connect();
    abort.throwIfAborted();
    await current.subscribe({ topics: [...byTopic.keys()], fromBeginning: options.fromBeginning });
    abort.throwIfAborted();
    await current.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionConcurrency,
      eachBatch,
    });
    await untilAborted(abort, crash.promise);
  };
  const keepAlive = async () => {
    while (!stopping.signal.aborted) {
      try {
        await runConsumer();
      } catch (error) {
        if (!stopping.signal.aborted) {
          crashes += 1;
          const fields = { groupId, crashes };
          // Some brokers do not know a newly created topic yet, so a retriable error at the start is normal.
          if (!hasJoined && isRetriable(error)) {
            logger.warn(
              { ...fields, reason: errorLine(error) },
              'the consumer cannot join its group yet; trying again',
            );
          } else logger.warn({ ...fields, err: error }, 'the consumer crashed; a new one takes its place');
        }
      }
      // Finishes the current batch, and closes a connection that was opened after a stop.
      await current?.disconnect().catch(() => {});
      await clock.sleep(Math.min(maxBackoffMs, 100 * 2 ** crashes), stopping.signal).catch(() => {});
    }
  };
  const alive = keepAlive();
  const { abort, joinWaitMs } = options;
  const joining = abort ? untilAborted(abort, firstJoin.promise) : firstJoin.promise;
  await withTimeout(joining, joinWaitMs, 'the group was not joined in time').catch(() => {});

  return {
    get joined() {
      return joined;
    },
    async stop() {
      joined = false;
      stopping.abort();
      // `disconnect` also ends a waiting join. `alive` closes the connections that remain.
      const ended = Promise.all([current?.disconnect().catch(() => {}), alive]);
      await withTimeout(ended, stopTimeoutMs, 'the consumer did not stop in time', clock).catch(() => {});
    },
  };
}

/** Whether kafkajs marked its error as retriable: a further attempt may succeed. */
const isRetriable = (error: unknown): boolean => (error as { retriable?: unknown } | null)?.retriable === true;
