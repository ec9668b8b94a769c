import type { KafkaMessage } from 'kafkajs';
import { type DeadLetter, restoredRecord, toDeadLetter } from './dead-letters.ts';
import type { Kafka } from './kafka.ts';
import type { EventProducer } from './producer.ts';
import { deadLetterSuffix } from './topics.ts';

/**
 * For an operator: what lies in a topic's dead letters, and, once the cause is mended, back to the topic with it. How far
 * replaying has come is kept as the commits of a group of its own, so that each letter is taken once; a replay that is cut
 * off between publishing and committing publishes a few again, and consumers deduplicate by ids. Two replays of one topic
 * at a time share its only partition: one of them waits until its bound and has nothing.
 */
export interface DeadLettersOptions {
  /** Without prefix and without `.dlq`. */
  topic: string;
  /** Most letters of one call. */
  maxEvents: number;
  /** Bound of the whole. Default 60 s. */
  timeoutMs?: number;
}

export interface ReplayOptions extends DeadLettersOptions {
  producer: EventProducer;
}

export interface DeadLetterCount {
  /** Still kept, replayed ones included. */
  kept: number;
  /** Not replayed yet. */
  waiting: number;
}

const groupOf = (topic: string) => `replay.${topic}${deadLetterSuffix}`;

/** By topic; topics that the cluster does not have yet are absent. */
export async function countDeadLetters(kafka: Kafka, topics: readonly string[]): Promise<Map<string, DeadLetterCount>> {
  const counts = new Map<string, DeadLetterCount>();
  for (const topic of await existing(kafka, topics)) {
    const source = topic + deadLetterSuffix;
    const ranges = await kafka.offsetRanges(source);
    const next = await kafka.committedOffsets(groupOf(topic), source);
    const count = { kept: 0, waiting: 0 };
    for (const [partition, { low, high }] of ranges) {
      const from = next.get(partition) ?? -1n;
      count.kept += Number(high - low);
      count.waiting += Number(high - (from > low ? from : low));
    }
    counts.set(topic, count);
  }
  return counts;
}

/** kafkajs asks for all topics of a connection at once, and one that is missing fails the others. */
async function existing(kafka: Kafka, topics: readonly string[]): Promise<string[]> {
  const admin = kafka.client.admin();
  await admin.connect();
  try {
    const names = new Set(await admin.listTopics());
    return topics.filter((topic) => names.has(kafka.topicName(topic + deadLetterSuffix)));
  } finally {
    await admin.disconnect();
  }
}

/** The letters that a replay would take next, oldest first; changes nothing. */
export async function readDeadLetters(kafka: Kafka, options: DeadLettersOptions): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  await walk(kafka, options, async (messages) => {
    letters.push(...messages.map(toDeadLetter));
    return false;
  });
  return letters;
}

/**
 * Publishes dead letters to their topic again, oldest first, as they were, and resolves with their number; the next call
 * goes on from there. Only letters that lie there at the start are taken: an event that is refused again ends up behind
 * them and is not taken twice in one call. Every group of the topic sees the replayed events.
 */
export async function replayDeadLetters(kafka: Kafka, options: ReplayOptions): Promise<number> {
  return walk(kafka, options, async (messages) => {
    await options.producer.publishRaw(options.topic, messages.map(restoredRecord), { timeoutMs: 10_000 });
    return true;
  });
}

/** Hands the waiting letters to `take`, which says whether they are done with. Resolves with their number. */
async function walk(
  kafka: Kafka,
  options: DeadLettersOptions,
  take: (messages: readonly KafkaMessage[]) => Promise<boolean>,
): Promise<number> {
  const { topic, maxEvents, timeoutMs = 60_000 } = options;
  const source = topic + deadLetterSuffix;
  const group = groupOf(topic);
  const ranges = await kafka.offsetRanges(source);
  const committed = await kafka.committedOffsets(group, source);
  const waiting = [...ranges].filter(
    ([partition, { low, high }]) => high > low && high > (committed.get(partition) ?? -1n),
  );
  if (waiting.length === 0 || maxEvents <= 0) return 0;

  const done = Promise.withResolvers<void>();
  const open = new Set(waiting.map(([partition]) => partition));
  let taken = 0;
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
          .slice(0, Math.max(0, maxEvents - taken));
        const last = messages.at(-1);
        if (last) {
          const isDone = await take(messages);
          resolveOffset(last.offset);
          const partitions = [{ partition: batch.partition, offset: String(BigInt(last.offset) + 1n) }];
          if (isDone) await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
          taken += messages.length;
        }
        if (!last || BigInt(last.offset) + 1n >= end) open.delete(batch.partition);
        if (taken >= maxEvents || open.size === 0) done.resolve();
      },
    });
    await done.promise;
    return taken;
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
  }
}
