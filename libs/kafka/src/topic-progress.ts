import type { Deadline } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import type { Kafka } from './kafka.ts';

/** The offset of the next record, by partition. */
export type Offsets = ReadonlyMap<number, bigint>;

/**
 * The progress of a consumer group in one topic. Services read `ends()` and wait until `consumed()` has passed these offsets. Then every
 * event that was durable at the first call has been handled.
 *
 * - The broker does not answer, or knows no partition of the topic -> both calls reject. They never return an empty result.
 * - The group has committed nothing in a partition -> `consumed` is the first offset that the broker keeps.
 * - Retention removed records that the group had not read -> these records count as consumed, because they can no longer be read. Otherwise
 *   the group would never pass them.
 * - A partition is added -> the next call includes it, because the admin client requests the topic's metadata every time.
 */
export interface TopicProgress {
  /** Returns the offset after the last record, for every partition. */
  ends(): Promise<Offsets>;
  /** Returns the next offset that the group will read, for every partition. */
  consumed(): Promise<Offsets>;
}

/** `groupId` and `topic` are names without the prefix. */
export function topicProgress(kafka: Kafka, groupId: string, topic: string): TopicProgress {
  const ranges = async () => {
    const found = await kafka.offsetRanges(topic);
    if (found.size === 0) throw new Error(`the broker knows no partition of ${topic}`);
    return found;
  };
  return {
    async ends() {
      return new Map([...(await ranges())].map(([partition, { high }]) => [partition, high]));
    },
    async consumed() {
      const [kept, committed] = await Promise.all([ranges(), kafka.committedOffsets(groupId, topic)]);
      return new Map([...kept].map(([partition, { low }]) => [partition, later(low, committed.get(partition))]));
    },
  };
}

const later = (a: bigint, b = 0n): bigint => (a > b ? a : b);

/**
 * Whether everything before `ends` has been consumed. On `true`, callers release reservations and drop claims, and neither can be undone. A
 * wrong `false` only delays them. The result is therefore `false` in every case without knowledge:
 *
 * - `ends` is empty -> false, because nothing is known of the topic.
 * - A partition's end is 0 -> passed, because nothing was ever published there, whether the group has committed or not.
 * - A partition is absent from `consumed`, or has -1 there (never committed) -> passed only if its end is 0.
 * - A partition is absent from `ends` -> ignored, because it and its events were added later.
 */
export function hasPassed(consumed: Offsets, ends: Offsets): boolean {
  if (ends.size === 0) return false;
  for (const [partition, end] of ends) {
    if (end > 0n && (consumed.get(partition) ?? -1n) < end) return false;
  }
  return true;
}

const pollIntervalMs = 20;

/**
 * Resolves once the group has handled every event that was durable when this function was called.
 *
 * - The deadline passes, even while Kafka does not answer -> rejects with the deadline's error.
 * - A request to Kafka fails -> rejects with its error.
 */
export async function caughtUp(
  progress: TopicProgress,
  deadline: Deadline,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<void> {
  const follow = async () => {
    const ends = await progress.ends();
    while (!hasPassed(await progress.consumed(), ends)) {
      await clock.sleep(pollIntervalMs);
      // Ends this loop once the caller has got the error of the deadline.
      deadline.timeoutMs();
    }
  };
  await deadline.race(follow());
}
