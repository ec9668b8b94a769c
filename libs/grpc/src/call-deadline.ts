import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/** The deadline of a call without one, and the longest deadline of any call: the time limit of a whole request. */
export const defaultDeadlineMs = 10_000;

export interface CallDeadlineOptions {
  /** The deadline of the call by this machine's wall clock, from grpc-js. It is infinite if the caller set none. */
  wallDeadline: Date | number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
}

/**
 * The deadline of an incoming call: the caller's deadline, at most {@link defaultDeadlineMs} from now.
 *
 * - The wall clock is read once, at the start. Later jumps have no effect.
 * - The caller's deadline has passed already -> the returned deadline is expired.
 */
export function callDeadline({ wallDeadline, clock }: CallDeadlineOptions): Deadline {
  const atMs = Number(wallDeadline);
  const givenMs = Number.isFinite(atMs) ? Math.min(defaultDeadlineMs, atMs - Date.now()) : defaultDeadlineMs;
  return createDeadline(givenMs, { clock });
}
