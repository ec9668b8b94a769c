import { Redis } from 'ioredis';
import type { Login } from './security.ts';

/** Sends commands over a connection of its own. Rejects if the server does not answer, or is still loading its data. */
export async function withRedis<T>(port: number, use: (redis: Redis) => Promise<T>, login?: Login): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: 2_000,
    ...login,
  });
  // The rejection of a command reports the error.
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
