import { createRateLimiter, type RateLimiter } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { defineScript, type Redis } from '@shopscope/redis';
import { type Limit, waitingTime } from '../domain/throttle-limits.ts';

/** One count: a limit and the key that it is counted under. */
export type Count = readonly [limit: Limit, key: string];

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Key: the attempts of a window, which begins with the first one. Arguments: the attempts to add, and the window in ms. Result: the
 * attempts and the ms that are left of the window.
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
 * - Redis is away -> each instance counts in its own memory.
 */
export function createThrottle(redis: Redis) {
  /** Per limit, so that the many addresses of one limit do not push out the keys of another one. */
  const inMemory = new Map<string, RateLimiter>();
  const memoryOf = ([{ name, points, seconds }, key]: Count) => {
    const limiter = inMemory.get(name) ?? createRateLimiter({ clock: systemClock });
    inMemory.set(name, limiter);
    return limiter.of(key, { max: points, windowMs: seconds * 1_000 });
  };

  /** Seconds to wait when the limit is used up, else undefined. */
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

  /** Takes an attempt back. */
  const forget = async (counts: readonly Count[]): Promise<void> => {
    const takeBack = (count: Count) => {
      const [{ name, seconds }, key] = count;
      return add(redis, [`throttle:${name}:${key}`], [-1, seconds * 1_000]).catch(() => memoryOf(count).spend(-1));
    };
    await Promise.all(counts.map(takeBack));
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
