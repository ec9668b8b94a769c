import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { type RedisCircuitBreaker, RedisUnavailableError } from '../../../src/redis/redis-circuit-breaker.ts';

/** The real Redis. Its scripts see the time of a clock that the test moves, and the test can make it unavailable. */
export interface RedisAt extends RedisCircuitBreaker {
  away: boolean;
}

export function redisAt(redis: Redis, clock: Pick<Clock, 'now'>): RedisAt {
  const time = () => {
    const nowMs = clock.now();
    return `({'${Math.floor(nowMs / 1_000)}', '${(nowMs % 1_000) * 1_000}'})`;
  };
  // The text has to be sent each time, because the time is in it.
  const client = new Proxy(redis.client, {
    get(target, name) {
      if (name === 'evalsha') return async () => Promise.reject(new Error('NOSCRIPT'));
      if (name === 'eval') {
        return (text: string, count: number, ...rest: (string | Buffer | number)[]) =>
          target.eval(text.replaceAll("redis.call('TIME')", time()), count, ...rest);
      }
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const moved: Redis = { ...redis, client, available: true };
  return {
    away: false,
    // Learning the epochs of all slots of a cluster would take longer than the rest of a test.
    slots: Math.min(redis.slots, 2),
    slotOf: redis.slotOf,
    keyIn: redis.keyIn,
    async run(_key, work) {
      if (this.away) throw new RedisUnavailableError();
      return work(moved);
    },
    async release(_key, work) {
      if (!this.away) await work(moved);
    },
  };
}
