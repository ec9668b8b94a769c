import { hasPassed, type Offsets, type TopicProgress } from '@shopscope/kafka';
import type { Dependencies } from './dependencies.ts';

/**
 * Works on reservations and leases that have ended. Their durable events may still be unread then. This order guarantees
 * that none is missed:
 * 1. `collect` notes the reservations or leases that have ended.
 * 2. Read the end of every partition of usage.v1.
 * 3. Wait until the ledger has read up to all of these ends.
 * 4. `finish` the reservations or leases of step 1.
 *
 * - Kafka does not respond -> nothing is finished, and `metering_sweep_blocked` is 1.
 * - Concurrency: several instances may do the same work at the same time, because `finish` is idempotent.
 */
export interface AfterReading {
  /** Runs one step: collects, waits or finishes. Resolves to the result of `finish`, or to 0 if `finish` was not called. */
  tick(abort?: AbortSignal): Promise<number>;
}

export function createAfterReading<Ended>(options: {
  metrics: Pick<Dependencies['metrics'], 'sweepBlocked'>;
  /** The name of the work in the metric. */
  work: 'reservations' | 'leases';
  progress: TopicProgress;
  /** Resolves to undefined if nothing has ended. */
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
        // Step 1: the reservations or leases that have ended.
        const ended = await collect();
        if (ended === undefined) {
          // Another instance may have finished the work that blocked this instance.
          setBlocked(false);
          return 0;
        }
        // Step 2: the ends of the partitions.
        bound = { ended, ends: await progress.ends().catch(blocked) };
      }
      // Step 3: the wait. A later tick reads again.
      const consumed = await progress.consumed().catch(blocked);
      const passed = hasPassed(consumed, bound.ends);
      setBlocked(!passed);
      if (!passed) return 0;
      // Step 4: the finish.
      const { ended } = bound;
      bound = undefined;
      return finish(ended, abort);
    },
  };
}
