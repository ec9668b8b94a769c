import { performance } from 'node:perf_hooks';
import type { Clock } from '@shopscope/clock';

/** Bounds how much of each kind begins in one turn of the event loop. Calls `onEnd` when such a turn has ended. */
export function createTurnBounds<Kind extends string>(maxPerTurn: Record<Kind, number>, onEnd: () => void) {
  const begun = new Map<Kind, number>();
  const end = () => {
    begun.clear();
    onEnd();
  };
  return {
    hasRoom: (kind: Kind) => (begun.get(kind) ?? 0) < maxPerTurn[kind],
    begin(kind: Kind): void {
      if (begun.size === 0) setImmediate(end);
      begun.set(kind, (begun.get(kind) ?? 0) + 1);
    },
  };
}

/** The minimum duration of a sample. A shorter sample is not reliable. */
const sampleMs = 50;
const busyUtilization = 0.95;

/** Whether this thread had almost no idle time in the last sample. */
export function createIsBusy({ monotonicMs }: Pick<Clock, 'monotonicMs'>): () => boolean {
  let sample = performance.eventLoopUtilization();
  let sampledAtMs = monotonicMs();
  let isBusy = false;
  return () => {
    if (monotonicMs() - sampledAtMs >= sampleMs) {
      const now = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(now, sample).utilization > busyUtilization;
      [sample, sampledAtMs] = [now, monotonicMs()];
    }
    return isBusy;
  };
}
