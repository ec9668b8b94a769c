import type { Deadline } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import type { Kafka } from './kafka.ts';

/** Offset of a next record, by partition. */
export type Offsets = ReadonlyMap<number, bigint>;

/**
 * How far a consumer group has read one topic. Services read `ends()`, wait until `consumed()` has passed them, and
 * then know that every event that was durable at the first call has been handled.
 *
 * - Broker does not answer, or knows no partition of the topic -> both reject. No empty result is ever returned.
 * - Group has committed nothing in a partition -> consumed up to the first offset that the broker keeps.
 * - Retention removed records that the group had not read -> these records count as consumed, because no consumer can
 *   read them any more. Otherwise the group would never pass them.
 * - Partition added -> the next call includes it, because the admin client asks for the topic's metadata every time.
 */
export interface TopicProgress {
  /** The offset after the last record, of every partition. */
  ends(): Promise<Offsets>;
  /** The next offset that the group has to read, of every partition. */
  consumed(): Promise<Offsets>;
}

/** `groupId` and `topic` without prefix. */
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
 * True when everything before `ends` has been consumed. Callers give reservations back and drop claims on `true`, and
 * neither can be undone. A wrong `false` only delays them. Therefore every case without knowledge is `false`:
 *
 * - `ends` is empty -> false: nothing is known of the topic.
 * - A partition's end is 0 -> passed: nothing was ever published there, whether the group has committed or not.
 * - A partition is absent from `consumed`, or has -1 there (never committed) -> passed only if its end is 0.
 * - A partition is absent from `ends` -> ignored: it was added later, and so were its events.
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
 * Resolves once the group has handled every event that was durable at the call.
 *
 * - Deadline passes, also while Kafka does not answer -> rejects with the deadline's error.
 * - A question to Kafka fails -> rejects with its error.
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
      // Ends this loop after the caller has its answer.
      deadline.timeoutMs();
    }
  };
  await deadline.race(follow());
}
