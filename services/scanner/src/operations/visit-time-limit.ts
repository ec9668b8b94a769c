import type { Clock } from '@shopscope/clock';

/**
 * The time limit of a visit. It is paused while the scan waits for this system, for example for the examiner process. That time is not the
 * store's, and the store must not be reported as slow because of it.
 */
export function createVisitTimeLimit(limitMs: number, clock: Pick<Clock, 'monotonicMs' | 'after'>) {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  const expire = () => controller.abort(new DOMException('the time limit of the visit passed', 'TimeoutError'));
  let leftMs = limitMs;
  let startedMs = clock.monotonicMs();
  let cancel = clock.after(leftMs, expire);
  let pauses = 0;
  let cancelled = false;

  const pause = () => {
    pauses += 1;
    if (pauses > 1) return;
    cancel();
    leftMs -= clock.monotonicMs() - startedMs;
  };
  const resume = () => {
    pauses -= 1;
    if (pauses > 0 || cancelled || signal.aborted) return;
    startedMs = clock.monotonicMs();
    cancel = clock.after(Math.max(0, leftMs), expire);
  };
  return {
    /** Aborts with a TimeoutError at the end of the time. */
    signal,
    async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
      pause();
      try {
        return await work();
      } finally {
        resume();
      }
    },
    /** Ends the limit without an abort. */
    cancel(): void {
      cancelled = true;
      cancel();
    },
  };
}
