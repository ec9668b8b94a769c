import { hasPassed, type Offsets, type TopicProgress } from '@shopscope/kafka';
import type { Dependencies } from './dependencies.ts';

/**
 * Work on reservations and leases that have ended. An event that is durable may still be unread then, so the order is the
 * guarantee:
 * 1. `collect` notes what has ended.
 * 2. Read the end of every partition of usage.v1.
 * 3. Wait until the ledger has read up to all of these ends.
 * 4. `finish` what was noted at 1.
 *
 * - Kafka does not respond -> nothing is finished, and `metering_sweep_blocked` is 1.
 * - Concurrency: several instances may do the same work at the same time, because `finish` is idempotent.
 */
export interface AfterReading {
  /** One step: collects, or waits, or finishes. Resolves to the result of `finish`, or to 0. */
  tick(abort?: AbortSignal): Promise<number>;
}

export function createAfterReading<Ended>(options: {
  metrics: Pick<Dependencies['metrics'], 'sweepBlocked'>;
  /** Names the work in the metric. */
  work: 'reservations' | 'leases';
  progress: TopicProgress;
  /** Resolves to undefined when nothing has ended. */
  collect(): Promise<Ended | undefined>;
  finish(ended: Ended, abort: AbortSignal | undefined): Promise<number>;
}): AfterReading {
  const { metrics, work, progress, collect, finish } = options;
  let bound: { ended: Ended; ends: Offsets } | undefined;
  const setBlocked = (isBlocked: boolean) => metrics.sweepBlocked.set({ work }, isBlocked ? 1 : 0);
  const blocked = (error: unknown) => {
    setBlocked(true);
    throw error;
  };

  return {
    async tick(abort) {
      if (!bound) {
        const ended = await collect();
        if (ended === undefined) {
          // Another instance may have finished what blocked this one.
          setBlocked(false);
          return 0;
        }
        bound = { ended, ends: await progress.ends().catch(blocked) };
      }
      const consumed = await progress.consumed().catch(blocked);
      const passed = hasPassed(consumed, bound.ends);
      setBlocked(!passed);
      if (!passed) return 0;
      const { ended } = bound;
      bound = undefined;
      return finish(ended, abort);
    },
  };
}
