import type { Clock } from '@shopscope/clock';

/**
 * Detects whether one member of a consumer group is stalled. A stalled member makes no progress for `stallMs` although the broker answers.
 * Such a member is outside its group, or owns a partition with events that are not handled.
 *
 * - A handler fails and is retried -> this counts as progress.
 * - All handlers are busy with other partitions -> the timer of a waiting partition restarts.
 * - The broker does not answer -> all stall timers restart.
 * - `findStall` is not called for half of `stallMs` (the process or its machine was suspended) -> all stall timers restart.
 */
export type StallDetector = ReturnType<typeof createStallDetector>;

export function createStallDetector(options: {
  clock: Clock;
  stallMs: number;
  groupId: string;
  /** The maximum number of partitions that are handled at the same time. */
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
    /** Call it when the member has joined its group and owns these partitions. */
    joined(partitions: Iterable<string>): void {
      outsideSinceMs = undefined;
      lastProgressMs = new Map([...partitions].map((partition) => [partition, clock.monotonicMs()]));
    },
    left(): void {
      outsideSinceMs ??= clock.monotonicMs();
      lastProgressMs.clear();
    },
    /** Call it when a handler starts to work on the partition, and `ended` when it ends. */
    started: (partition: string) => void busy.add(partition),
    ended: (partition: string) => void busy.delete(partition),
    progressed(partition: string): void {
      if (lastProgressMs.has(partition)) lastProgressMs.set(partition, clock.monotonicMs());
    },
    brokerUnavailable: () => restartTimers(clock.monotonicMs()),
    /** Returns the stall, if there is one. It needs the number of waiting events per partition. Call it every few seconds. */
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
