import { Redis } from 'ioredis';
import { askTimeoutMs } from './server-node.ts';

/** Sends commands over a connection of its own. Rejects if the server does not answer. */
export async function withRedis<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: askTimeoutMs,
    commandTimeout: 2 * askTimeoutMs,
  });
  // The rejection of a command reports the error.
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
