import { type Clock, systemClock } from '@shopscope/clock';
import { type Deadline, noDeadline } from './deadline.ts';

export interface RetryOptions {
  /** Pause in ms after failed attempt `attempt` (1, 2, …); undefined when no further attempt follows. */
  pauseMs(attempt: number, error: unknown): number | undefined;
  /** No pause begins that would end after it. Default: none. */
  deadline?: Deadline;
  /** Ends a pause at once; the retry then rejects with its reason. */
  abort?: AbortSignal;
  /** Called before each pause. */
  onFailure?(error: unknown, attempt: number): void;
  clock?: Pick<Clock, 'sleep'>;
}

/**
 * Runs `attempt` until it succeeds, `pauseMs` is undefined, the deadline is too near for another pause, or `abort` aborts.
 * Rejects with the last attempt's error, or with the reason of `abort`.
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
 * A pause that doubles from `firstMs` with each attempt up to `maxMs`, multiplied by a random factor between 0.5 and 1.5
 * so that callers who failed together do not retry together.
 */
export function exponentialBackoff(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
}
