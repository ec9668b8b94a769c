import type { Clock } from '@shopscope/clock';

/**
 * Opens after a run of failures and then refuses at once, letting one probe through per interval, so that a dead broker
 * costs callers a time bound a few times and not on every request.
 */
export interface Breaker {
  /** True when a call may go ahead now; a probe counts as one. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  readonly open: boolean;
}

export function createBreaker(options: { failures: number; probeMs: number; clock: Clock }): Breaker {
  let run = 0;
  let probedAtMs = 0;
  const isOpen = () => run >= options.failures;
  return {
    admits() {
      if (!isOpen()) return true;
      const nowMs = options.clock.monotonicMs();
      if (nowMs - probedAtMs < options.probeMs) return false;
      probedAtMs = nowMs;
      return true;
    },
    succeeded() {
      run = 0;
    },
    failed() {
      run += 1;
      if (run === options.failures) probedAtMs = options.clock.monotonicMs();
    },
    get open() {
      return isOpen();
    },
  };
}
