import { type Clock, systemClock } from '@shopscope/clock';
import { type Deadline, noDeadline } from './deadline.ts';

export interface RetryOptions {
  /** Returns the pause in ms after failed attempt `attempt` (1, 2, …), or undefined if no further attempt follows. */
  pauseMs(attempt: number, error: unknown): number | undefined;
  /** No pause starts if it would end after the deadline. Default: no deadline. */
  deadline?: Deadline;
  /** Ends a pause at once. The retry then rejects with the reason of the signal. */
  abort?: AbortSignal;
  /** Called before each pause. */
  onFailure?(error: unknown, attempt: number): void;
  clock?: Pick<Clock, 'sleep'>;
}

/**
 * Calls `attempt` until it succeeds, `pauseMs` returns undefined, the deadline leaves no time for another pause, or `abort` aborts. Rejects
 * with the last attempt's error, or with the reason of `abort`.
 */
export async function retry<T>(attempt: (number: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { pauseMs, deadline = noDeadline, abort, onFailure, clock = systemClock } = options;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      abort?.throwIfAborted();
      const waitMs = pauseMs(number, error);
      if (waitMs === undefined || deadline.remainingMs <= waitMs) throw error;
      onFailure?.(error, number);
      await clock.sleep(waitMs, abort);
    }
  }
}

/**
 * Returns a pause that doubles with each attempt, from `firstMs` up to `maxMs`. It is multiplied by a random factor between 0.5 and 1.5, so
 * that callers who failed together do not retry together.
 */
export function exponentialBackoff(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
}
