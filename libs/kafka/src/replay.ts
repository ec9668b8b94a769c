import { exhumed } from './dead-letters.ts';
import type { Kafka } from './kafka.ts';
import type { EventProducer } from './producer.ts';
import { deadLetterSuffix } from './topics.ts';

export interface ReplayOptions {
  /** Without prefix; its dead letters are published to it again. */
  topic: string;
  producer: EventProducer;
  /** Most events of one call. */
  maxEvents: number;
  /** Bound of the whole. Default 60 s. */
  timeoutMs?: number;
}

/**
 * For an operator, once the cause is mended: publishes dead letters to their topic again, oldest first, as they were,
 * and resolves with their number. How far it came is kept in a group of its own, so the next call goes on from there.
 * Only letters that lie there at the start are taken: an event that is refused again ends up behind them and is not
 * taken twice in one call. Every group of the topic sees the replayed events; consumers deduplicate by ids.
 */
export async function replayDeadLetters(kafka: Kafka, options: ReplayOptions): Promise<number> {
  const { topic, producer, maxEvents, timeoutMs = 60_000 } = options;
  const source = topic + deadLetterSuffix;
  const group = `replay.${source}`;
  const ranges = await kafka.offsetRanges(source);
  const committed = await kafka.committedOffsets(group, source);
  const waiting = [...ranges].filter(
    ([partition, { low, high }]) => high > low && high > (committed.get(partition) ?? -1n),
  );
  if (waiting.length === 0 || maxEvents <= 0) return 0;

  const done = Promise.withResolvers<void>();
  const open = new Set(waiting.map(([partition]) => partition));
  let replayed = 0;
  const consumer = kafka.client.consumer({ groupId: kafka.groupName(group), maxWaitTimeInMs: 100 });
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  const timer = setTimeout(done.resolve, timeoutMs);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [kafka.topicName(source)], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary }) => {
        const end = ranges.get(batch.partition)?.high ?? 0n;
        const messages = batch.messages
          .filter(({ offset }) => BigInt(offset) < end)
          .slice(0, Math.max(0, maxEvents - replayed));
        const last = messages.at(-1);
        if (last) {
          await producer.publishRaw(topic, messages.map(exhumed), { timeoutMs: 10_000 });
          resolveOffset(last.offset);
          const partitions = [{ partition: batch.partition, offset: String(BigInt(last.offset) + 1n) }];
          await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
          replayed += messages.length;
        }
        if (!last || BigInt(last.offset) + 1n >= end) open.delete(batch.partition);
        if (replayed >= maxEvents || open.size === 0) done.resolve();
      },
    });
    await done.promise;
    return replayed;
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
  }
}
