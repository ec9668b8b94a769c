import { createRateLimiter, type RateLimiter } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { defineScript, type Redis } from '@shopscope/redis';
import { type Limit, waitingTime } from '../domain/throttle-limits.ts';

/** One count: a limit, and the key under which it counts. */
export type Count = readonly [limit: Limit, key: string];

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Key: the attempts of a window, which begins with the first attempt. Arguments: the attempts to add, and the window in ms. Result: the
 * attempts, and the ms until the window ends.
 */
const add = defineScript({
  name: 'add-attempts',
  lua: `
local leftMs = redis.call('PTTL', KEYS[1])
if leftMs < 0 then
  -- An attempt is taken back after its window.
  if tonumber(ARGV[1]) < 0 then return {0, 0} end
  leftMs = tonumber(ARGV[2])
  redis.call('SET', KEYS[1], 0, 'PX', leftMs)
end
-- 0 is a window in its last millisecond, which still refuses.
return {redis.call('INCRBY', KEYS[1], ARGV[1]), math.max(leftMs, 1)}
`,
});

/**
 * Counts attempts in Redis.
 *
 * - A limit is used up -> `rate_limited` with the waiting time.
 * - Redis is unavailable -> each instance counts in its own memory.
 */
export function createThrottle(redis: Redis) {
  /** One limiter per limit, so that the many addresses of one limit do not evict the keys of another limit. */
  const inMemory = new Map<string, RateLimiter>();
  const memoryOf = ([{ name, points, seconds }, key]: Count) => {
    const limiter = inMemory.get(name) ?? createRateLimiter({ clock: systemClock });
    inMemory.set(name, limiter);
    return limiter.of(key, { max: points, windowMs: seconds * 1_000 });
  };

  /** The seconds to wait if the limit is used up, otherwise undefined. */
  const take = async (count: Count): Promise<number | undefined> => {
    const [{ name, points, seconds }, key] = count;
    const waitMs = await add(redis, [`throttle:${name}:${key}`], [1, seconds * 1_000]).then(
      (reply) => {
        const [attempts, leftMs] = reply as [number, number];
        return attempts > points ? leftMs : 0;
      },
      () => memoryOf(count).take(),
    );
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : undefined;
  };

  /** Takes an attempt back from each count. */
  const forget = async (counts: readonly Count[]): Promise<void> => {
    const takeBack = (count: Count) => {
      const [{ name, seconds }, key] = count;
      return add(redis, [`throttle:${name}:${key}`], [-1, seconds * 1_000]).catch(() => memoryOf(count).spend(-1));
    };
    await Promise.all(counts.map(takeBack));
  };

  /**
   * Counts an attempt under every count, one after the other. Throws `rate_limited` at the first limit that is used up, and takes the
   * earlier counts back. List the narrowest limit first, so that an attempt that it refuses does not use up a wider one.
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

  /** Counts an attempt as {@link attempt} does, then runs it. The attempt is taken back if this service fails. */
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
    /** Counts an attempt. Returns false if the limit is used up. */
    async allows(count: Count): Promise<boolean> {
      return (await take(count)) === undefined;
    },
    /** Works as {@link limit}. The attempt is also taken back if it succeeds. */
    guard<T>(counts: readonly Count[], work: () => Promise<T>): Promise<T> {
      return limit(counts, async () => {
        const result = await work();
        await forget(counts);
        return result;
      });
    },
  };
}
