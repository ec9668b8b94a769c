import { randomUUID } from 'node:crypto';
import { hourMs } from '@shopscope/clock';
import type { RedisCircuitBreaker } from '../redis/redis-circuit-breaker.ts';

/** Longer than a stored response is kept. */
const keptMs = 25 * hourMs;

export type TestResets = ReturnType<typeof createTestResets>;

/**
 * Knows the latest reset of each workspace of the test tenant. The names of stored responses have it, so a response from before a reset is not
 * replayed after it. Its bytes count until it expires.
 *
 * - A reset is forgotten 25 hours after its last use, when no response of it or of an earlier one is stored any more.
 * - Redis does not respond -> `RedisUnavailableError`.
 */
export function createTestResets(redis: RedisCircuitBreaker) {
  const keyOf = (workspaceId: string) => `idem:{${workspaceId}/test}:reset`;
  return {
    /** Returns a text that differs after each reset. It is empty without one. */
    async latest(workspaceId: string): Promise<string> {
      const key = keyOf(workspaceId);
      return (await redis.run(key, ({ client }) => client.getex(key, 'PX', keptMs))) ?? '';
    },
    async add(workspaceId: string): Promise<void> {
      const key = keyOf(workspaceId);
      await redis.run(key, ({ client }) => client.set(key, randomUUID(), 'PX', keptMs));
    },
  };
}
