import { createKeyedSlots, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/**
 * Limits this process to one request per host at a time, with a pause after each request.
 *
 * - Order: first in, first out per host. An aborted waiter leaves the queue. The next waiter does not start earlier because of that.
 * - Bounds: idle hosts are evicted when there are more than 10,000 entries.
 */
export type HostPacer = ReturnType<typeof createHostPacer>;

export type Queued = <T>(wait: () => Promise<T>) => Promise<T>;

const maxIdleHosts = 10_000;

export function createHostPacer(clock: Clock) {
  const slots = createKeyedSlots({ maxPerKey: 1 });
  const freeAtMs = new Map<string, number>();

  const evictIdle = () => {
    if (freeAtMs.size <= maxIdleHosts) return;
    for (const [host, atMs] of freeAtMs) if (atMs <= clock.monotonicMs()) freeAtMs.delete(host);
  };

  return {
    /**
     * Runs `work` when the host is free. The host stays occupied for `delayMs` afterwards. The wait for requests of other visits runs
     * within `queued`.
     */
    async run<T>(
      host: string,
      delayMs: number,
      abort: AbortSignal,
      work: () => Promise<T>,
      queued: Queued = (wait) => wait(),
    ): Promise<T> {
      evictIdle();
      const release = await queued(async () => slots.take(host, (turn) => untilAborted(abort, turn)));
      try {
        const waitMs = (freeAtMs.get(host) ?? 0) - clock.monotonicMs();
        if (waitMs > 0) await clock.sleep(waitMs, abort);
        abort.throwIfAborted();
        try {
          return await work();
        } finally {
          freeAtMs.set(host, clock.monotonicMs() + delayMs);
        }
      } finally {
        release();
      }
    },
  };
}
