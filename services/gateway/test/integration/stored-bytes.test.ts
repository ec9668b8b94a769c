import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import type { Redis } from '@shopscope/redis';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIdempotencyStore } from '../../src/idempotency/redis-store.ts';
import { createRedisCircuitBreaker } from '../../src/redis/redis-circuit-breaker.ts';
import { openTestRedis } from './support/gateway.ts';

const namespace = testNamespace('gw');
let redis: Redis;

beforeAll(async () => {
  redis = await openTestRedis(namespace);
});
afterAll(async () => {
  await redis.close();
  await namespace.cleanup();
});

it('the bytes that a stored response counts are at least its memory in Redis, and at most a third more', async () => {
  const store = createIdempotencyStore(createRedisCircuitBreaker(redis, systemClock), systemClock);
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Usage-Remaining': '249000' };
  for (const size of [2, 60, 64, 170, 500, 1_023, 1_100, 4_090, 4_100, 9_000, 33_000, 70_000, 140_000, 262_144]) {
    const workspaceId = newId('ws');
    const execution = { workspaceId, name: newId('chg'), token: randomUUID(), fingerprint: 'ab'.repeat(32) };
    await store.begin(execution);
    await store.finish(execution, { status: 200, headers, body: randomBytes(size), encoding: 'gzip' });
    const memory = Number(await redis.client.memory('USAGE', `idem:{${workspaceId}}:${execution.name}`));
    const [counted] = (await redis.client.hvals(`idem:{${workspaceId}}:bytes`)).map(Number);
    expect(counted, `${size} bytes`).toBeGreaterThanOrEqual(memory);
    expect(counted, `${size} bytes`).toBeLessThan(1.34 * memory);
  }
});
