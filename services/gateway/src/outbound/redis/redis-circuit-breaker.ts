import { createCircuitBreaker } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { createCompensationQueue, type RedisWork } from './compensation-queue.ts';

/**
 * Redis behind a circuit breaker. Callers decide what they do without Redis.
 *
 * - A call fails -> the breaker opens: nothing is asked for a second, then one call probes. So a Redis that does not
 *   answer costs one time limit and not one per request.
 * - A call exceeded its time limit -> Redis may carry it out when it wakes. `release` of that call, and every release that
 *   came while the breaker was open, is sent before the next call, over the same connection and so in this order. So no
 *   request meets slots or locks without an owner.
 */
export interface RedisCircuitBreaker {
  /** Rejects at once with `RedisUnavailable` while the breaker is open. `release` undoes work that failed and may have happened. */
  run<Result>(work: (redis: Redis) => Promise<Result>, release?: RedisWork): Promise<Result>;
  /** Releases now, or as soon as Redis answers again; never rejects. The work may be carried out several times. */
  release(work: RedisWork): Promise<void>;
  readonly available: boolean;
}

const probeIntervalMs = 1_000;

export class RedisUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is not to be asked now', options);
    this.name = 'RedisUnavailable';
  }
}

export function createRedisCircuitBreaker(redis: Redis, clock: Pick<Clock, 'monotonicMs'>): RedisCircuitBreaker {
  const releases = createCompensationQueue(redis);
  const breaker = createCircuitBreaker({ failures: 1, probeIntervalMs, clock });

  return {
    async run(work, release) {
      if (!redis.available || !breaker.admits()) throw new RedisUnavailable();
      releases.flush();
      try {
        const result = await work(redis);
        breaker.succeeded();
        return result;
      } catch (error) {
        breaker.failed();
        if (release) releases.add(release);
        throw new RedisUnavailable({ cause: error });
      }
    },
    async release(work) {
      if (redis.available && !breaker.open) await releases.attempt(work);
      else releases.add(work);
    },
    get available() {
      return redis.available && !breaker.open;
    },
  };
}
