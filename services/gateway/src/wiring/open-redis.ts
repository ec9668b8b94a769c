import { redisOptions, secondRedisOptions } from '@shopscope/config';
import { createRedis, type Redis } from '@shopscope/redis';
import { idempotencyRedis } from '../config.ts';
import { createRedisCircuitBreaker, type RedisCircuitBreaker } from '../redis/redis-circuit-breaker.ts';
import type { Context } from './context.ts';

const pollMs = 25;
const maxPolls = 80;

export type Redises = Awaited<ReturnType<typeof openRedises>>;

/**
 * Opens one Redis or two. Waits for them for up to {@link maxPolls} times {@link pollMs}. An unavailable Redis only delays the start,
 * because the local limits decide without Redis.
 */
export async function openRedises({ config, clock, logger, registry, resources }: Context) {
  const open = (use: string, options: ReturnType<typeof redisOptions>) => {
    const connection = createRedis({ ...options, use, logger, registry });
    resources.onStop(`redis of ${use}`, () => connection.close());
    return { connection, breaker: createRedisCircuitBreaker(connection, clock) };
  };
  const limits = open('limits', redisOptions(config));
  const second = secondRedisOptions(config, idempotencyRedis);
  const responses = second ? open('idempotency', second) : limits;
  const isWaiting = () => !limits.connection.available || !responses.connection.available;
  for (let polls = 0; isWaiting() && polls < maxPolls; polls++) await clock.sleep(pollMs);
  return {
    limits: limits.breaker,
    /** The breaker of the stored responses, which can fill their Redis. In a Redis of their own they cannot affect the limits. */
    responses: responses.breaker,
    probes: {
      redis: writes(limits),
      ...(second && { 'redis of stored responses': writes(responses) }),
    },
  };
}

const probeKey = 'probe';
const probeSeconds = 60;

/**
 * Probes whether every node responds and accepts writes. A refused write does not open the circuit breaker, because stored responses can
 * still be read.
 */
const writes =
  ({ connection, breaker }: { connection: Redis; breaker: RedisCircuitBreaker }) =>
  async (): Promise<boolean> => {
    if (!connection.available) return false;
    const write = (key: string) =>
      breaker.run(key, (r) =>
        r.client.set(key, '', 'EX', probeSeconds).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && error.name === 'ReplyError') return false;
            throw error;
          },
        ),
      );
    const written = await Promise.all(connection.keysOfNodes(probeKey).map(write));
    return written.every(Boolean);
  };
