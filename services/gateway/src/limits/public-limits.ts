import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { LRUCache } from 'lru-cache';

/**
 * Limits requests that need no key, per client address.
 *
 * - Window: a minute from the first request of the address.
 * - Limit reached -> `rate_limited` until the window ends.
 * - Each gateway counts alone, without I/O.
 * - Bound: {@link maxAddresses}. The one whose latest request is the oldest is dropped first.
 */
export type PublicLimits = ReturnType<typeof createPublicLimits>;

const windowMs = 60_000;
const maxAddresses = 50_000;

export function createPublicLimits(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
}) {
  const { clock, maxPerMinute } = options;
  const windows = new LRUCache<string, { used: number; endMs: number }>({ max: options.maxAddresses ?? maxAddresses });
  return {
    /** Throws `rate_limited` with `retry_after`. */
    acquire(address: string): void {
      const nowMs = clock.monotonicMs();
      let window = windows.get(address);
      if (!window || nowMs >= window.endMs) {
        window = { used: 0, endMs: nowMs + windowMs };
        windows.set(address, window);
      }
      if (window.used < maxPerMinute) window.used++;
      else throw tooMany(maxPerMinute, Math.ceil((window.endMs - nowMs) / 1_000));
    },
    /** Stored addresses. */
    get size() {
      return windows.size;
    },
  };
}

const tooMany = (maxPerMinute: number, seconds: number) =>
  new AppError('rate_limited', `The address has spent its ${maxPerMinute} requests without a key of this minute.`, {
    details: { retry_after: seconds },
  });
