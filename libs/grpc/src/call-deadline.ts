import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/** What a call without a deadline gets, and the most that any call gets: the time limit of a whole request. */
export const defaultDeadlineMs = 10_000;

export interface CallDeadlineOptions {
  /** The call's deadline on this machine's wall clock, as grpc-js tells it; infinite where the caller set none. */
  wallDeadline: Date | number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
}

/**
 * The deadline of an incoming call: the caller's, at most {@link defaultDeadlineMs} from now.
 *
 * - The wall clock is read once, at the start; from then on it may jump.
 * - The caller's deadline has passed already -> the deadline has expired from the beginning.
 */
export function callDeadline({ wallDeadline, clock }: CallDeadlineOptions): Deadline {
  const atMs = Number(wallDeadline);
  const givenMs = Number.isFinite(atMs) ? Math.min(defaultDeadlineMs, atMs - Date.now()) : defaultDeadlineMs;
  return createDeadline(givenMs, { clock });
}
