import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * The time that one request may take, on a monotonic clock: 10 s of work, an answer by 10.5 s. It also knows the one
 * stretch in which `internal` would be a lie: from the moment a usage event may have left until its charge is void. An
 * answer that bills ends in it.
 */
export const workMs = 10_000;
/** Whoever holds a request past this must not answer 2xx. */
export const answerMs = 10_500;

export interface Budget {
  /** Milliseconds of work left; 0 when spent. */
  remainingMs(): number;
  elapsedMs(): number;
  /** Milliseconds left for `share` at most, for a call's deadline. Throws `internal` when nothing is left. */
  takeMs(share?: number): number;
  /** Enters the stretch; throws `internal` when the request was given up, so that nothing is billed after its answer. */
  beginCommit(): void;
  /** Leaves the stretch: the charge is void. */
  endCommit(): void;
  /** The charge is billed, or may be: nothing but the answer that bills it may be sent. */
  readonly committing: boolean;
  /** The request was answered, or given up; nothing more may be billed for it. */
  giveUp(): void;
  readonly givenUp: boolean;
}

export function createBudget(clock: Pick<Clock, 'monotonicMs'>): Budget {
  const startMs = clock.monotonicMs();
  let committing = false;
  let givenUp = false;
  const elapsedMs = () => clock.monotonicMs() - startMs;
  const remainingMs = () => Math.max(0, workMs - elapsedMs());
  const spent = () => new AppError('internal', 'The request exceeded its time bound and was not billed.');

  return {
    remainingMs,
    elapsedMs,
    takeMs(share = workMs) {
      const leftMs = remainingMs();
      if (leftMs <= 0 || givenUp) throw spent();
      return Math.min(leftMs, share);
    },
    beginCommit() {
      if (givenUp || remainingMs() <= 0) throw spent();
      committing = true;
    },
    endCommit() {
      committing = false;
    },
    get committing() {
      return committing;
    },
    giveUp() {
      givenUp = true;
    },
    get givenUp() {
      return givenUp;
    },
  };
}
