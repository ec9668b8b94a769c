import { untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/**
 * Limits this process to one request per host at a time, with a pause after each request.
 *
 * - Order: first in, first out per host. An aborted waiter leaves the queue; the next waiter does not start earlier.
 * - Bounds: idle hosts are evicted above 10,000 entries.
 */
export interface HostPacer {
  /**
   * Runs `work` when the host is free. The host stays occupied for `delayMs` after it. The wait for the requests of other visits
   * runs within `queued`.
   */
  run<T>(host: string, delayMs: number, abort: AbortSignal, work: () => Promise<T>, queued?: Queued): Promise<T>;
}

export type Queued = <T>(wait: () => Promise<T>) => Promise<T>;

interface HostQueue {
  tail: Promise<void>;
  freeAtMs: number;
  waiting: number;
}

const maxIdleHosts = 10_000;

export function createHostPacer(clock: Clock): HostPacer {
  const queues = new Map<string, HostQueue>();

  const evictIdle = () => {
    if (queues.size <= maxIdleHosts) return;
    for (const [host, queue] of queues) {
      if (queue.waiting === 0 && queue.freeAtMs <= clock.monotonicMs()) queues.delete(host);
    }
  };

  return {
    async run(host, delayMs, abort, work, queued = (wait) => wait()) {
      evictIdle();
      const queue = queues.get(host) ?? { tail: Promise.resolve(), freeAtMs: 0, waiting: 0 };
      queues.set(host, queue);
      const previous = queue.tail;
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      queue.tail = done;
      queue.waiting += 1;
      try {
        await queued(() => untilAborted(abort, previous));
        const waitMs = queue.freeAtMs - clock.monotonicMs();
        if (waitMs > 0) await clock.sleep(waitMs, abort);
        abort.throwIfAborted();
        try {
          return await work();
        } finally {
          queue.freeAtMs = clock.monotonicMs() + delayMs;
        }
      } finally {
        queue.waiting -= 1;
        void previous.then(release);
      }
    },
  };
}
