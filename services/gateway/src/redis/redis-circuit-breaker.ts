import { createCircuitBreaker } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { createCompensationQueue, type RedisCommand } from './compensation-queue.ts';

/**
 * Calls Redis behind a circuit breaker. Callers decide what to do without Redis.
 *
 * Failures:
 * - A call fails -> the breaker opens for one second, then one call probes Redis. An unavailable Redis therefore delays one
 *   request per second by the time limit, not every request.
 * - A call exceeds its time limit -> a suspended Redis can still run it later. Releases that failed or were postponed are
 *   sent before the next call, on the same connection and thus in this order. No request therefore encounters a slot or
 *   lock without an owner.
 */
export type RedisCircuitBreaker = ReturnType<typeof createRedisCircuitBreaker>;

const probeIntervalMs = 1_000;

export class RedisUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is unavailable', options);
    this.name = 'RedisUnavailableError';
  }
}

export function createRedisCircuitBreaker(redis: Redis, clock: Pick<Clock, 'monotonicMs'>) {
  const releases = createCompensationQueue(redis);
  const breaker = createCircuitBreaker({ failures: 1, probeIntervalMs, clock });

  return {
    /**
     * Rejects with `RedisUnavailableError` if the call fails, and at once while the breaker is open. `release` undoes a
     * failed call that Redis may have run.
     */
    async run<Result>(work: (redis: Redis) => Promise<Result>, release?: RedisCommand): Promise<Result> {
      if (!redis.available || !breaker.admits()) throw new RedisUnavailableError();
      releases.flush();
      try {
        const result = await work(redis);
        breaker.succeeded();
        return result;
      } catch (error) {
        breaker.failed();
        if (release) releases.add(release);
        throw new RedisUnavailableError({ cause: error });
      }
    },
    /** Runs the command now, or when Redis is available again. It never rejects. The command may run several times. */
    async release(command: RedisCommand): Promise<void> {
      if (redis.available && !breaker.open) await releases.attempt(command);
      else releases.add(command);
    },
    get available() {
      return redis.available && !breaker.open;
    },
  };
}
