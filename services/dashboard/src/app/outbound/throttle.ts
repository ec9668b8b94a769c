import { AppError } from '@shopscope/errors';
import type { Redis } from '@shopscope/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type Limit, limits, waitingTime } from '../domain/throttle-limits.ts';

/** One count: a limit and the key that it is counted under. */
export type Count = readonly [limit: Limit, key: string];

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Counts attempts in Redis.
 *
 * - A limit is used up -> `rate_limited` with the waiting time.
 * - Redis is away -> each instance counts in its own memory.
 */
export function createThrottle(redis: Pick<Redis, 'client'>) {
  // Each limiter adds a command to the client. A pipeline that is already open lacks the command, and ioredis would end
  // the process. So all limiters exist before the first command.
  const limiters = new Map(Object.values(limits).map((limit) => [limit.name, createLimiter(redis, limit)]));

  const limiterOf = ({ name }: Limit): RateLimiterRedis => {
    const limiter = limiters.get(name);
    if (!limiter) throw new Error(`no limiter for ${name}`);
    return limiter;
  };

  /** Seconds to wait when the limit is used up, else undefined. */
  const take = async ([limit, key]: Count): Promise<number | undefined> => {
    try {
      await limiterOf(limit).consume(key);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return Math.max(1, Math.ceil(thrown.msBeforeNext / 1_000));
      throw thrown;
    }
  };

  /** Takes an attempt back. */
  const forget = async (counts: readonly Count[]): Promise<void> => {
    await Promise.all(counts.map(([limit, key]) => limiterOf(limit).reward(key)));
  };

  /**
   * Counts an attempt under every count, one after the other. Throws `rate_limited` at the first one that is used up, and
   * takes the earlier ones back. So an attempt that a narrow limit refuses uses up no wider one: the narrowest is first.
   */
  const attempt = async (...counts: readonly Count[]): Promise<void> => {
    for (const [index, count] of counts.entries()) {
      const seconds = await take(count);
      if (seconds === undefined) continue;
      await forget(counts.slice(0, index));
      throw new AppError('rate_limited', `There were too many attempts. Try again in ${waitingTime(seconds)}.`, {
        details: { retry_after: seconds },
      });
    }
  };

  /** Counts an attempt as {@link attempt} does and runs it. The attempt is taken back when this service fails. */
  const limit = async <T>(counts: readonly Count[], work: () => Promise<T>): Promise<T> => {
    await attempt(...counts);
    try {
      return await work();
    } catch (error) {
      if (AppError.from(error).status >= 500) await forget(counts);
      throw error;
    }
  };

  return {
    attempt,
    limit,
    /** Counts an attempt; false when the limit is used up. */
    async allows(count: Count): Promise<boolean> {
      return (await take(count)) === undefined;
    },
    /** As {@link limit}, and the attempt is taken back when it succeeds. */
    guard<T>(counts: readonly Count[], work: () => Promise<T>): Promise<T> {
      return limit(counts, async () => {
        const result = await work();
        await forget(counts);
        return result;
      });
    },
  };
}

function createLimiter({ client }: Pick<Redis, 'client'>, { name, points, seconds }: Limit): RateLimiterRedis {
  const settings = { keyPrefix: `throttle:${name}`, points, duration: seconds };
  const insuranceLimiter = new RateLimiterMemory(settings);
  return new RateLimiterRedis({ ...settings, storeClient: client, rejectIfRedisNotReady: true, insuranceLimiter });
}
