import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/**
 * Shares the time of the event loop between long computations and everything else.
 *
 * - Order: the computations take turns, one step each. A short one therefore does not wait for the end of a long one.
 * - Bound: in one turn of the event loop, all computations together run for at most about {@link sliceMs}, and the time of one step.
 * - The deadline of a computation passes, or it is cancelled -> its next step does not run, and the call rejects.
 * - A step throws -> the call rejects with the error.
 */
export type TimeSlices = ReturnType<typeof createTimeSlices>;

/** A request needs a few turns of the event loop, and may wait this long in each. A look-up alone takes some milliseconds. */
export const sliceMs = 0.25;

interface Computation {
  /** Runs the next step. Returns whether there are more. */
  step(): boolean;
}

export function createTimeSlices({ clock }: { clock: Pick<Clock, 'monotonicMs'> }) {
  const running: Computation[] = [];

  const runSlice = () => {
    const endMs = clock.monotonicMs() + sliceMs;
    do {
      const computation = running.shift() as Computation;
      if (computation.step()) running.push(computation);
    } while (running.length > 0 && clock.monotonicMs() < endMs);
    if (running.length > 0) setImmediate(runSlice);
  };

  return {
    /** Resolves to the value that the generator returns. A step ends at each `yield`. */
    run<T>(steps: Generator<void, T>, deadline: Pick<Deadline, 'timeoutMs'>): Promise<T> {
      return new Promise((resolve, reject) => {
        const step = () => {
          try {
            deadline.timeoutMs();
            const { done, value } = steps.next();
            if (done) resolve(value);
            return !done;
          } catch (error) {
            reject(error);
            return false;
          }
        };
        running.push({ step });
        if (running.length === 1) setImmediate(runSlice);
      });
    },
  };
}
