import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/** What a call without a deadline gets, and the most that any call gets: the budget of a whole request. */
export const defaultDeadlineMs = 10_000;

export interface CallTimeOptions {
  /** The call's deadline on this machine's wall clock, as grpc-js tells it; infinite where the caller set none. */
  deadline: Date | number;
  /** Aborted when the caller gives up. */
  signal: AbortSignal;
  clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * How long a call's caller still waits, asked at any moment: every statement of a handler is bound by what those before it
 * left. Whole milliseconds, at least 1, because MongoDB takes 0 for no bound. It throws `internal` once the deadline has
 * passed or the caller has given up, so that no further statement begins: whoever called may be undoing this call already.
 * The wall clock is asked once, at the start; from then on it may jump.
 */
export function callTime({ deadline, signal, clock }: CallTimeOptions): () => number {
  const atMs = Number(deadline);
  const givenMs = Number.isFinite(atMs) ? Math.min(defaultDeadlineMs, atMs - Date.now()) : defaultDeadlineMs;
  const endMs = clock.monotonicMs() + givenMs;
  return () => {
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0 || signal.aborted) {
      throw new AppError('internal', 'The request took too long; retry in a few seconds.', { cause: signal.reason });
    }
    return Math.max(1, Math.floor(leftMs));
  };
}
