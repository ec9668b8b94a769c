import type { Clock } from '@shopscope/clock';
import { LRUCache } from 'lru-cache';

/**
 * Limits how many units a key (an address, a workspace, a person) may take in a time. It counts in the memory of this process, without I/O.
 *
 * - With `perMs`, units come back steadily, up to `max`. With `windowMs`, all units come back at the end of a window. The window
 *   begins with the first use.
 * - Nothing waits in the limiter: its methods return the time until the units are available.
 * - Bound: `maxKeys`. The key that was used least recently is forgotten first. It then has all its units again.
 */
export type Rate = { max: number } & ({ perMs: number; windowMs?: never } | { windowMs: number; perMs?: never });

export interface RateLimiter {
  /** The units of a key. Its rate may change from use to use. */
  of(key: string, rate: Rate): RateBucket;
  /** The number of stored keys. */
  readonly size: number;
}

export interface RateBucket {
  /** Takes the units and returns 0 if they are available. Otherwise it takes none and returns the milliseconds until they are available. */
  take(units?: number): number;
  /** Milliseconds until this many units are available; at most `max` units count. */
  waitMs(units?: number): number;
  /** Takes units even if they are not available. The balance is then negative; with `windowMs`, until its window ends. A negative number gives units back. */
  spend(units: number): void;
}

export interface RateLimiterOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Default 50,000. */
  maxKeys?: number | undefined;
}

/** The tolerance of comparisons, because sums of fractions are not exact. */
const rounding = 1e-6;

export function createRateLimiter({ clock, maxKeys = 50_000 }: RateLimiterOptions): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys });
  return {
    of(key, rate) {
      const known = buckets.get(key);
      if (known) {
        known.rate = rate;
        return known;
      }
      const bucket = new Bucket(rate, clock);
      buckets.set(key, bucket);
      return bucket;
    },
    get size() {
      return buckets.size;
    },
  };
}

class Bucket implements RateBucket {
  rate: Rate;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #left: number;
  /** The start of the window, or the time of the latest refill. */
  #sinceMs: number;

  constructor(rate: Rate, clock: Pick<Clock, 'monotonicMs'>) {
    this.rate = rate;
    this.#clock = clock;
    this.#left = rate.max;
    this.#sinceMs = clock.monotonicMs();
  }

  take(units = 1) {
    const waitMs = this.waitMs(units);
    if (waitMs === 0) this.#left -= units;
    return waitMs;
  }

  waitMs(units = 1) {
    this.#refill();
    const { max, perMs, windowMs } = this.rate;
    const missing = Math.min(units, max) - this.#left;
    if (missing <= rounding) return 0;
    return perMs === undefined ? this.#sinceMs + windowMs - this.#clock.monotonicMs() : missing / perMs;
  }

  spend(units: number) {
    this.#refill();
    this.#left = Math.min(this.rate.max, this.#left - units);
  }

  #refill() {
    const nowMs = this.#clock.monotonicMs();
    const passedMs = nowMs - this.#sinceMs;
    const { max, perMs, windowMs } = this.rate;
    if (perMs === undefined && passedMs < windowMs) return;
    this.#left = perMs === undefined ? max : Math.min(max, this.#left + passedMs * perMs);
    this.#sinceMs = nowMs;
  }
}
