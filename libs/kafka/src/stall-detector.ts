import type { Clock } from '@shopscope/clock';

/**
 * Finds out whether one member of a consumer group is stalled. A stalled member makes no progress for `stallMs` although
 * the broker answers. It is either outside its group, or it owns a partition with events that are not handled.
 *
 * - Handler fails and is retried -> progress.
 * - All handlers are busy with other partitions -> the timer of a waiting partition restarts.
 * - Broker does not answer -> all stall timers restart.
 * - No call of `findStall` for half of `stallMs` (the process or its machine was suspended) -> all stall timers restart.
 */
export type StallDetector = ReturnType<typeof createStallDetector>;

export function createStallDetector(options: {
  clock: Clock;
  stallMs: number;
  groupId: string;
  /** Partitions that are handled at the same time, at most. */
  concurrency: number;
}) {
  const { clock, stallMs, groupId, concurrency } = options;
  /** A longer time between two checks means that the process was suspended. */
  const maxCheckIntervalMs = stallMs / 2;
  let lastProgressMs = new Map<string, number>();
  let outsideSinceMs: number | undefined = clock.monotonicMs();
  let checkedAtMs = clock.monotonicMs();
  const busy = new Set<string>();

  const restartTimers = (nowMs: number) => {
    checkedAtMs = nowMs;
    if (outsideSinceMs !== undefined) outsideSinceMs = nowMs;
    for (const partition of lastProgressMs.keys()) lastProgressMs.set(partition, nowMs);
  };

  return {
    /** The member joined its group and owns these partitions now. */
    joined(partitions: Iterable<string>): void {
      outsideSinceMs = undefined;
      lastProgressMs = new Map([...partitions].map((partition) => [partition, clock.monotonicMs()]));
    },
    left(): void {
      outsideSinceMs ??= clock.monotonicMs();
      lastProgressMs.clear();
    },
    /** A handler works on the partition from now on, until `ended`. */
    started: (partition: string) => void busy.add(partition),
    ended: (partition: string) => void busy.delete(partition),
    progressed(partition: string): void {
      if (lastProgressMs.has(partition)) lastProgressMs.set(partition, clock.monotonicMs());
    },
    brokerUnavailable: () => restartTimers(clock.monotonicMs()),
    /** The stall, if there is one, given the number of waiting events of each partition. Call it every few seconds. */
    findStall(lagByPartition: ReadonlyMap<string, number>): Error | undefined {
      const nowMs = clock.monotonicMs();
      if (nowMs - checkedAtMs > maxCheckIntervalMs) restartTimers(nowMs);
      checkedAtMs = nowMs;
      if (outsideSinceMs !== undefined && nowMs - outsideSinceMs > stallMs) {
        return new Error(`consumer group ${groupId}: not joined for ${stallMs} ms although the broker answers`);
      }
      for (const [partition, progressMs] of lastProgressMs) {
        const lag = lagByPartition.get(partition) ?? 0;
        const waitsForHandler = busy.size >= concurrency && !busy.has(partition);
        if (lag === 0 || waitsForHandler) lastProgressMs.set(partition, nowMs);
        else if (nowMs - progressMs > stallMs) {
          return new Error(
            `consumer group ${groupId}: ${lag} events of ${partition} waited ${stallMs} ms without progress`,
          );
        }
      }
      return undefined;
    },
  };
}
