import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';

/**
 * Redis that costs a time bound once, not on every request: after a failure nothing is asked for a second, then one
 * call probes. Callers decide what they do without it.
 */
export interface GuardedRedis {
  /** Rejects at once while Redis is not to be asked. */
  run<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result>;
  /** Nobody waits for this, and a failure is of no consequence. */
  tell(work: (redis: Redis) => Promise<unknown>): void;
  readonly available: boolean;
}

const probeMs = 1_000;

export class RedisUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is not to be asked now', options);
    this.name = 'RedisUnavailable';
  }
}

export function guardRedis(redis: Redis, clock: Pick<Clock, 'monotonicMs'>): GuardedRedis {
  let failing = false;
  let askAgainMs = 0;

  const admits = () => {
    if (!redis.available) return false;
    if (!failing) return true;
    const nowMs = clock.monotonicMs();
    if (nowMs < askAgainMs) return false;
    askAgainMs = nowMs + probeMs;
    return true;
  };

  return {
    async run(work) {
      if (!admits()) throw new RedisUnavailable();
      try {
        const result = await work(redis);
        failing = false;
        return result;
      } catch (error) {
        failing = true;
        askAgainMs = clock.monotonicMs() + probeMs;
        throw new RedisUnavailable({ cause: error });
      }
    },
    tell(work) {
      if (redis.available && !failing) work(redis).catch(() => {});
    },
    get available() {
      return redis.available && !failing;
    },
  };
}
