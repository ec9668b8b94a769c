import type { Redis } from '@shopscope/redis';

/** A command may run several times. */
export type RedisCommand = (redis: Redis) => Promise<unknown>;

const maxAttempts = 10;

/**
 * Queues commands that release slots and locks in Redis, while Redis is unavailable.
 *
 * - Commands do not expire: a command that was sent to a suspended Redis takes effect when Redis continues.
 * - A command is dropped -> its slot or lock expires in Redis.
 * - Bounds: `maxSize` commands, and ten attempts per command. The oldest command is dropped first.
 */
export function createCompensationQueue(redis: Redis, options: { maxSize?: number } = {}) {
  const { maxSize = 5_000 } = options;
  /** The commands with the number of their attempts, the oldest first. */
  let queue = new Map<RedisCommand, number>();

  const add = (command: RedisCommand, attempts = 0) => {
    if (attempts >= maxAttempts) return;
    for (const oldest of queue.keys()) {
      if (queue.size < maxSize) break;
      queue.delete(oldest);
    }
    queue.set(command, attempts);
  };
  const attempt = async (command: RedisCommand, before = 0) => {
    await command(redis).catch(() => add(command, before + 1));
  };

  return {
    add: (command: RedisCommand): void => add(command),
    /** Runs the command now, and queues it if it fails. Never rejects. */
    attempt: (command: RedisCommand): Promise<void> => attempt(command),
    /** Sends all queued commands, before the next command of the caller. */
    flush(): void {
      if (queue.size === 0) return;
      const due = queue;
      queue = new Map();
      for (const [command, attempts] of due) void attempt(command, attempts);
    },
  };
}
