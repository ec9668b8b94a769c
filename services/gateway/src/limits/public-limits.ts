import { createRateLimiter } from '@shopscope/async';
import { type Clock, minuteMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * Limits requests that need no key, per client address.
 *
 * - A window is the minute that begins with the first request of an address.
 * - An address reaches the limit -> `rate_limited` until its window ends.
 * - Each gateway counts alone, without I/O.
 * - Bound: `maxAddresses`, 50,000 by default. The address whose latest request is the oldest is dropped first.
 */
export function createPublicLimits(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
}) {
  const { clock, maxPerMinute, maxAddresses } = options;
  const limiter = createRateLimiter({ clock, maxKeys: maxAddresses });
  const rate = { max: maxPerMinute, windowMs: minuteMs };
  return {
    /** Throws `rate_limited` with `retry_after` if the address is at its limit. */
    acquire(address: string): void {
      const waitMs = limiter.of(address, rate).take();
      if (waitMs === 0) return;
      const message = `The address has spent its ${maxPerMinute} requests without a key of this minute.`;
      throw new AppError('rate_limited', message, { details: { retry_after: Math.ceil(waitMs / 1_000) } });
    },
    /** The number of stored addresses. */
    get size() {
      return limiter.size;
    },
  };
}
