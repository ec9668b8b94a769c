import { createRateLimiter } from '@shopscope/async';
import { type Clock, minuteMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * Limits requests that need no key, per client address.
 *
 * - Window: a minute from the first request of the address.
 * - Limit reached -> `rate_limited` until the window ends.
 * - Each gateway counts alone, without I/O.
 * - Bound: `maxAddresses`, 50,000 by default. The one whose latest request is the oldest is dropped first.
 */
export interface PublicLimits {
  /** Throws `rate_limited` with `retry_after`. */
  acquire(address: string): void;
  /** Stored addresses. */
  readonly size: number;
}

export function createPublicLimits(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
}): PublicLimits {
  const { clock, maxPerMinute, maxAddresses } = options;
  const limiter = createRateLimiter({ clock, maxKeys: maxAddresses });
  const rate = { max: maxPerMinute, windowMs: minuteMs };
  return {
    acquire(address) {
      const waitMs = limiter.of(address, rate).take();
      if (waitMs === 0) return;
      throw new AppError(
        'rate_limited',
        `The address has spent its ${maxPerMinute} requests without a key of this minute.`,
        {
          details: { retry_after: Math.ceil(waitMs / 1_000) },
        },
      );
    },
    get size() {
      return limiter.size;
    },
  };
}
