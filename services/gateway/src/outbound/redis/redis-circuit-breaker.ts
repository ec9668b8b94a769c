import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { createOwedWork } from './owed-work.ts';

/**
 * Redis that costs a time bound once, not on every request: after a failure nothing is asked for a second, then one
 * call probes. Callers decide what they do without it.
 *
 * A command that overran its bound may be carried out all the same, when Redis wakes. What such a call took, and what
 * could not be given back while Redis was away, is given back before the next call that Redis is asked, over the same
 * connection and so in that order: nobody meets slots or locks that have no owner.
 */
export interface GuardedRedis {
  /** Rejects at once while Redis is not to be asked. `undo` takes back what failed and may have happened all the same. */
  run<Result>(work: (redis: Redis) => Promise<Result>, undo?: RedisWork): Promise<Result>;
  /** Now, or as soon as Redis answers again; never rejects. The work may be carried out several times. */
  giveBack(work: RedisWork): Promise<void>;
  readonly available: boolean;
}

export type RedisWork = (redis: Redis) => Promise<unknown>;

const probeMs = 1_000;

export class RedisUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is not to be asked now', options);
    this.name = 'RedisUnavailable';
  }
}

export function guardRedis(redis: Redis, clock: Pick<Clock, 'monotonicMs'>): GuardedRedis {
  const owed = createOwedWork(redis);
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
    async run(work, undo) {
      if (!admits()) throw new RedisUnavailable();
      owed.settle();
      try {
        const result = await work(redis);
        failing = false;
        return result;
      } catch (error) {
        failing = true;
        askAgainMs = clock.monotonicMs() + probeMs;
        if (undo) owed.add(undo);
        throw new RedisUnavailable({ cause: error });
      }
    },
    async giveBack(work) {
      if (redis.available && !failing) await owed.attempt(work);
      else owed.add(work);
    },
    get available() {
      return redis.available && !failing;
    },
  };
}
