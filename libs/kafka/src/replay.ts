import type { KafkaMessage } from 'kafkajs';
import { type DeadLetter, restoredRecord, toDeadLetter } from './dead-letters.ts';
import type { RawRecord } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import type { EventProducer } from './producer.ts';
import { deadLetterSuffix } from './topics.ts';

/**
 * Lists the dead letters of a topic for operators, and publishes them to the topic again once the cause is repaired.
 *
 * - Progress is stored as the commits of a separate consumer group. Each letter is therefore replayed once.
 * - A replay stops between publishing and committing -> the next replay publishes a few letters again. Consumers deduplicate events by id.
 * - Two replays of one topic run at once -> they share its only partition. One of them replays nothing until its time limit.
 */
export interface DeadLettersOptions {
  /** The topic's name without the prefix and without `.dlq`. */
  topic: string;
  /** The maximum number of letters per call. */
  maxEvents: number;
  /** The time limit of the call. Default 60 s. */
  timeoutMs?: number;
}

export interface ReplayOptions extends DeadLettersOptions {
  producer: EventProducer;
  /** Returns the record to publish. Default: the original record. */
  prepare?(record: RawRecord, letter: DeadLetter): Promise<RawRecord>;
  /** Called for each letter that has no content (`omittedBytes`). The letter counts as replayed, and nothing is published. */
  onOmitted?(letter: DeadLetter): void;
}

export interface DeadLetterCount {
  /** The number of letters that the broker keeps. It includes replayed ones. */
  kept: number;
  /** The number of letters that were not replayed yet. */
  waiting: number;
}

const groupOf = (topic: string) => `replay.${topic}${deadLetterSuffix}`;

/** Returns the counts by topic. Topics that do not exist in the cluster yet are absent. */
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

/** Returns the topics that exist. kafkajs requests all topics of a connection at once, and a missing one fails the others. */
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

export interface ReadOptions extends DeadLettersOptions {
  /** Receives each letter with the original record. */
  inspect?(record: RawRecord, letter: DeadLetter): Promise<void>;
}

/** Returns the letters that a replay would publish next, oldest first. It changes nothing. */
export async function readDeadLetters(kafka: Kafka, options: ReadOptions): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  await walk(kafka, options, async (messages) => {
    for (const message of messages) {
      const letter = toDeadLetter(message);
      await options.inspect?.(restoredRecord(message), letter);
      letters.push(letter);
    }
    return false;
  });
  return letters;
}

/**
 * Publishes dead letters to their topic again, oldest first, and unchanged except by `prepare`. Resolves with their number. The next call
 * continues after them. One call takes only the letters that existed at its start. An event that fails again is therefore not replayed
 * twice. Every group of the topic receives the replayed events.
 */
export async function replayDeadLetters(kafka: Kafka, options: ReplayOptions): Promise<number> {
  const { prepare = async (record: RawRecord) => record } = options;
  return walk(kafka, options, async (messages) => {
    const records: RawRecord[] = [];
    for (const message of messages) {
      const letter = toDeadLetter(message);
      if (letter.omittedBytes === undefined) records.push(await prepare(restoredRecord(message), letter));
      else options.onOmitted?.(letter);
    }
    await options.producer.publishRaw(options.topic, records, { timeoutMs: 10_000 });
    return true;
  });
}

/** Passes the waiting letters to `take`, which returns whether to commit them. Resolves with the number of letters. */
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
