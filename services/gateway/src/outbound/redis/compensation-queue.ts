import type { Redis } from '@shopscope/redis';

/**
 * Commands that release in Redis what a request no longer holds: slots and locks. Redis could not be asked when they were
 * due, so they wait here. Each of them may be carried out several times.
 *
 * - Time ends no command. A command that was sent to a suspended Redis takes effect when Redis wakes, however late.
 * - Bounds: `maxSize` commands, of which the oldest is dropped first, and ten attempts at each.
 * - A command is dropped -> what it would have released ends by its own expiry in Redis.
 */
export interface CompensationQueue {
  add(work: RedisWork): void;
  /** Carries it out now; it is queued when that fails. Never rejects. */
  attempt(work: RedisWork): Promise<void>;
  /** Sends everything that is queued, before whatever the caller sends next. */
  flush(): void;
}

export type RedisWork = (redis: Redis) => Promise<unknown>;

const maxAttempts = 10;

export function createCompensationQueue(redis: Redis, options: { maxSize?: number } = {}): CompensationQueue {
  const { maxSize = 5_000 } = options;
  /** Attempts so far, the oldest work first. */
  let queue = new Map<RedisWork, number>();

  const add = (work: RedisWork, attempts = 0) => {
    if (attempts >= maxAttempts) return;
    for (const oldest of queue.keys()) {
      if (queue.size < maxSize) break;
      queue.delete(oldest);
    }
    queue.set(work, attempts);
  };
  const attempt = async (work: RedisWork, before = 0) => {
    await work(redis).catch(() => add(work, before + 1));
  };

  return {
    add: (work) => add(work),
    attempt: (work) => attempt(work),
    flush() {
      if (queue.size === 0) return;
      const due = queue;
      queue = new Map();
      for (const [work, attempts] of due) void attempt(work, attempts);
    },
  };
}
