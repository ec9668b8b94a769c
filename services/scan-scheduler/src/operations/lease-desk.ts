import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { LeasedScan } from './lease-scan.ts';

/**
 * Where the scanners of this instance wait for work, first come, first served. One look-up at a time serves all of
 * them, so a hundred waiting scanners cost the database no more than one. It looks when somebody comes, when work
 * arrives in this process, and every `pollMs` for work that other instances queued or that becomes due. A scanner that
 * hangs up while its lease is being made gives the lease back unseen. When the look-up fails, all who wait are told and
 * ask again themselves.
 */
export interface LeaseDesk {
  /** A lease, or null once `waitMs` are over without one. */
  wait(scannerId: string, waitMs: number, abort: AbortSignal): Promise<LeasedScan | null>;
  /** There may be work. */
  wake(): void;
  /** Sends everybody away with nothing, now and from now on. */
  close(): Promise<void>;
}

export interface LeaseDeskOptions {
  clock: Clock;
  pollMs: number;
  lease(scannerId: string): Promise<LeasedScan | null>;
  takeBack(lease: LeasedScan): Promise<void>;
}

interface Waiter {
  scannerId: string;
  /** Monotonic. */
  endMs: number;
  abort: AbortSignal;
  resolve(lease: LeasedScan | null): void;
  reject(error: unknown): void;
}

const waitersMax = 2_000;

export function createLeaseDesk(options: LeaseDeskOptions): LeaseDesk {
  const { clock } = options;
  let waiters: Waiter[] = [];
  let serving: Promise<void> = Promise.resolve();
  let isServing = false;
  let closed = false;
  /** Something came while a look-up was under way: look again before sleeping. */
  let stirred = false;
  let pause = new AbortController();

  const wake = () => {
    stirred = true;
    pause.abort();
  };

  const sendAway = (leaves: (waiter: Waiter) => boolean) => {
    const leaving = new Set(waiters.filter((waiter) => closed || waiter.abort.aborted || leaves(waiter)));
    waiters = waiters.filter((waiter) => !leaving.has(waiter));
    for (const { resolve } of leaving) resolve(null);
  };

  /** False when there was nothing for the first in line, and so for nobody. */
  const serveFirst = async (first: Waiter): Promise<boolean> => {
    const lease = await options.lease(first.scannerId);
    if (!lease) return false;
    waiters = waiters.filter((waiter) => waiter !== first);
    if (first.abort.aborted) {
      first.resolve(null);
      await options.takeBack(lease);
    } else first.resolve(lease);
    return true;
  };

  const serve = async () => {
    for (;;) {
      sendAway(() => false);
      const [first] = waiters;
      if (!first) break;
      stirred = false;
      pause = new AbortController();
      const present = new Set(waiters);
      try {
        if (await serveFirst(first)) continue;
      } catch (error) {
        for (const { reject } of waiters) reject(error);
        waiters = [];
      }
      const nowMs = clock.monotonicMs();
      sendAway((waiter) => present.has(waiter) && waiter.endMs <= nowMs);
      if (stirred || waiters.length === 0) continue;
      const nextEndMs = Math.min(...waiters.map(({ endMs }) => endMs)) - nowMs;
      await clock.sleep(Math.max(1, Math.min(options.pollMs, nextEndMs)), pause.signal).catch(() => {});
    }
    isServing = false;
  };

  return {
    wake,
    wait(scannerId, waitMs, abort) {
      if (closed || abort.aborted) return Promise.resolve(null);
      if (waiters.length >= waitersMax) {
        return Promise.reject(new AppError('unavailable', 'Too many scanners wait here; ask again shortly.'));
      }
      return new Promise((resolve, reject) => {
        waiters.push({ scannerId, endMs: clock.monotonicMs() + waitMs, abort, resolve, reject });
        abort.addEventListener('abort', wake, { once: true });
        wake();
        if (isServing) return;
        isServing = true;
        serving = serve();
      });
    },
    async close() {
      closed = true;
      wake();
      await serving;
    },
  };
}
