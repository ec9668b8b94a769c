import type { Clock } from '@shopscope/clock';

/**
 * Tells a consumer that is wedged from one that rests, fails or waits. Wedged is: the broker answers, and for a stall
 * time this member has not joined its group, or an assigned partition has events waiting while nobody worked on them.
 * A handler that fails and is tried again is at work; a broker that does not answer excuses everybody, and so does a time
 * in which nobody asked: a process that stood still (stopped, or with its machine) has neglected nothing.
 */
export interface Watchdog {
  /** The member joined its group and owns these partitions now. */
  joined(partitions: Iterable<string>): void;
  left(): void;
  worked(partition: string): void;
  brokerAway(): void;
  /** What is wedged, if anything, given the events that wait in each partition. To be asked every few seconds. */
  verdict(lagByPartition: ReadonlyMap<string, number>): Error | undefined;
}

export function createWatchdog(options: { clock: Clock; stallMs: number; groupId: string }): Watchdog {
  const { clock, stallMs, groupId } = options;
  /** Longer between two questions means that the process did not run. */
  const unwatchedMs = stallMs / 2;
  let assigned = new Map<string, number>();
  let outsideSinceMs: number | undefined = clock.monotonicMs();
  let askedAtMs = clock.monotonicMs();

  const excuseAll = (nowMs: number) => {
    askedAtMs = nowMs;
    if (outsideSinceMs !== undefined) outsideSinceMs = nowMs;
    for (const partition of assigned.keys()) assigned.set(partition, nowMs);
  };

  return {
    joined(partitions) {
      outsideSinceMs = undefined;
      assigned = new Map([...partitions].map((partition) => [partition, clock.monotonicMs()]));
    },
    left() {
      outsideSinceMs ??= clock.monotonicMs();
      assigned.clear();
    },
    worked(partition) {
      if (assigned.has(partition)) assigned.set(partition, clock.monotonicMs());
    },
    brokerAway: () => excuseAll(clock.monotonicMs()),
    verdict(lagByPartition) {
      const nowMs = clock.monotonicMs();
      if (nowMs - askedAtMs > unwatchedMs) excuseAll(nowMs);
      askedAtMs = nowMs;
      if (outsideSinceMs !== undefined && nowMs - outsideSinceMs > stallMs) {
        return new Error(`consumer group ${groupId}: not joined for ${stallMs} ms although the broker answers`);
      }
      for (const [partition, workedAtMs] of assigned) {
        const lag = lagByPartition.get(partition) ?? 0;
        if (lag === 0) assigned.set(partition, nowMs);
        else if (nowMs - workedAtMs > stallMs) {
          return new Error(`consumer group ${groupId}: ${lag} events of ${partition} waited ${stallMs} ms untouched`);
        }
      }
      return undefined;
    },
  };
}
