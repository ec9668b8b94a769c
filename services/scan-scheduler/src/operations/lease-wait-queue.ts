import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { LeasedScan } from './lease-scan.ts';

/**
 * The queue in which the scanners of this instance wait for a lease, first in, first out.
 *
 * - Concurrency: one search at a time serves all waiting scanners. A hundred scanners therefore cause no more queries than one.
 * - A search runs when a scanner arrives, when work arrives in this process (`wake`), and every `pollMs`. The latter finds work of other
 *   instances and scans that become due.
 * - A scanner cancels its call during the search -> its lease is undone.
 * - The search fails -> all waiting calls reject. The scanners call again.
 * - Bound: `maxWaiters` waiting scanners. Further calls -> `unavailable`.
 */
export type LeaseWaitQueue = ReturnType<typeof createLeaseWaitQueue>;

interface Waiter {
  scannerId: string;
  /** The end of the wait by the monotonic clock. */
  endMs: number;
  abort: AbortSignal;
  resolve(lease: LeasedScan | null): void;
  reject(error: unknown): void;
}

const maxWaiters = 2_000;

export function createLeaseWaitQueue(options: {
  clock: Clock;
  pollMs: number;
  lease(scannerId: string): Promise<LeasedScan | null>;
  undoLease(lease: LeasedScan): Promise<void>;
}) {
  const { clock, pollMs } = options;
  let waiters: Waiter[] = [];
  let isClosed = false;
  let loop: PeriodicLoop | undefined;

  const wake = () => loop?.wake();

  const resolveWithoutLease = (isOver: (waiter: Waiter) => boolean) => {
    const leaving = new Set(waiters.filter((waiter) => isClosed || waiter.abort.aborted || isOver(waiter)));
    waiters = waiters.filter((waiter) => !leaving.has(waiter));
    for (const { resolve } of leaving) resolve(null);
  };

  /** Returns false if no scan is due. */
  const serveFirst = async (first: Waiter): Promise<boolean> => {
    const lease = await options.lease(first.scannerId);
    if (!lease) return false;
    waiters = waiters.filter((waiter) => waiter !== first);
    if (first.abort.aborted) {
      first.resolve(null);
      await options.undoLease(lease);
    } else first.resolve(lease);
    return true;
  };

  /** Serves waiting scanners until no scan is due. */
  const search = async () => {
    for (;;) {
      resolveWithoutLease(() => false);
      const [first] = waiters;
      if (!first) return;
      const waitedBeforeSearch = new Set(waiters);
      if (await serveFirst(first)) continue;
      const nowMs = clock.monotonicMs();
      resolveWithoutLease((waiter) => waitedBeforeSearch.has(waiter) && waiter.endMs <= nowMs);
      return;
    }
  };
  const start = () =>
    startPeriodicLoop({
      intervalMs: pollMs,
      immediate: true,
      run: search,
      pauseMs: () => Math.max(1, Math.min(pollMs, ...waiters.map(({ endMs }) => endMs - clock.monotonicMs()))),
      onError: (error) => {
        for (const { reject } of waiters) reject(error);
        waiters = [];
      },
      clock,
    });

  return {
    /** Starts a search. Call it when there may be work. */
    wake,
    /** Resolves with a lease, or with null if there is none within `waitMs`. */
    wait(scannerId: string, waitMs: number, abort: AbortSignal): Promise<LeasedScan | null> {
      if (isClosed || abort.aborted) return Promise.resolve(null);
      if (waiters.length >= maxWaiters) {
        return Promise.reject(new AppError('unavailable', 'This instance has too many waiting scanners; retry.'));
      }
      return new Promise((resolve, reject) => {
        waiters.push({ scannerId, endMs: clock.monotonicMs() + waitMs, abort, resolve, reject });
        abort.addEventListener('abort', wake, { once: true });
        if (loop) wake();
        else loop = start();
      });
    },
    /** Resolves all waiting and all later calls with null. */
    async close(): Promise<void> {
      isClosed = true;
      await loop?.stop();
      resolveWithoutLease(() => true);
    },
  };
}
