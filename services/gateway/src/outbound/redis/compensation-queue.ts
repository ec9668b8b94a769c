import type { Redis } from '@shopscope/redis';
import type { RedisWork } from './guarded-redis.ts';

/**
 * What is still to be done in Redis and may be done more than once. Time does not end it: a command that was sent to a
 * Redis that stood still takes effect when it wakes, however late. It is bounded by its number, of which the oldest is
 * forgotten first, and by the attempts at each; what is forgotten ends by its own expiry in Redis.
 */
export interface OwedWork {
  add(work: RedisWork): void;
  /** Does it now; it is owed when that fails. Never rejects. */
  attempt(work: RedisWork): Promise<void>;
  /** Sends everything that is owed, ahead of whatever the caller sends next. */
  settle(): void;
}

const attemptsMax = 10;

export function createOwedWork(redis: Redis, options: { most?: number } = {}): OwedWork {
  const { most = 5_000 } = options;
  /** Attempts so far, the oldest work first. */
  let owed = new Map<RedisWork, number>();

  const add = (work: RedisWork, attempts = 0) => {
    if (attempts >= attemptsMax) return;
    for (const oldest of owed.keys()) {
      if (owed.size < most) break;
      owed.delete(oldest);
    }
    owed.set(work, attempts);
  };
  const attempt = async (work: RedisWork, before = 0) => {
    await work(redis).catch(() => add(work, before + 1));
  };

  return {
    add: (work) => add(work),
    attempt: (work) => attempt(work),
    settle() {
      if (owed.size === 0) return;
      const due = owed;
      owed = new Map();
      for (const [work, attempts] of due) void attempt(work, attempts);
    },
  };
}
