import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '@shopscope/clock';
import { type Stack, startStack } from '@shopscope/local-stack';
import { createRedis, type Redis } from '@shopscope/redis';
import { silentTelemetry } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createIdempotencyStore, type Execution } from '../../src/idempotency/redis-store.ts';
import { createRedisLimits } from '../../src/limits/redis-limits.ts';
import { createRedisCircuitBreaker, type RedisCircuitBreaker } from '../../src/redis/redis-circuit-breaker.ts';

/** A separate Redis that is suspended (SIGSTOP) and continued. It then executes what it received meanwhile. */
const stateDir = mkdtempSync(join(tmpdir(), 'redis-paused-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const bounded = { interval: 20, timeout: 60_000 };
let stack: Stack;
/** The connection of a gateway to Redis, and the connection of an observer or of another gateway. */
let breaker: RedisCircuitBreaker;
let connection: Redis;
let onlooker: Redis;

beforeAll(async () => {
  // Only Redis is started. The names of the other two servers are not used.
  const external = { SHOPSCOPE_STACK: 'native', SHOPSCOPE_MONGODB_URL: 'unused', SHOPSCOPE_KAFKA_BROKERS: 'unused' };
  stack = await startStack({ stateDir, cacheDir, env: external });
}, 240_000);
afterAll(async () => {
  await stack?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

beforeEach(async () => {
  connection = connect();
  onlooker = connect();
  await expect.poll(() => connection.available && onlooker.available, bounded).toBe(true);
  breaker = createRedisCircuitBreaker(connection, systemClock);
});

function connect(): Redis {
  // This is longer than a busy machine delays an answer.
  const redis = createRedis({ url: stack.redis.url, keyPrefix: '', ...silentTelemetry(), commandTimeoutMs: 2_000 });
  onTestFinished(() => redis.close());
  return redis;
}

/** Suspends Redis while `work` runs. */
async function whilePaused(work: () => Promise<void>) {
  const pid = stack.redis.nodes[0]?.pid as number;
  process.kill(pid, 'SIGSTOP');
  await work().finally(() => process.kill(pid, 'SIGCONT'));
  await expect.poll(() => onlooker.client.ping().catch(() => 'no answer'), bounded).toBe('PONG');
  await expect.poll(() => onlooker.available, bounded).toBe(true);
}

/** Does what the next request of any key, or the next check of Redis' health, does. */
const askSomething = () => breaker.run('probe', (redis) => redis.client.ping()).catch(() => {});

describe('paused Redis', { timeout: 240_000, tags: ['wall-clock'] }, () => {
  it('a Redis that was stopped and continued holds no slot of a request that ended meanwhile or was admitted too late', async () => {
    const limits = createRedisLimits(breaker, systemClock);
    await limits.learnEpochs();
    const keyId = randomUUID();
    const plan = { rpm: 1_000, concurrency: 3 };
    const admitted = await Promise.all([limits.admit(keyId, plan), limits.admit(keyId, plan)]);
    const counted = () => onlooker.client.get(`rpm:{${keyId}}`);
    /** Slots do not end by themselves any more. */
    const inUse = async () => {
      await onlooker.client.persist(`slots:{${keyId}}`);
      return onlooker.client.zcard(`slots:{${keyId}}`);
    };
    expect(await inUse()).toBe(2);
    const before = await counted();

    await whilePaused(async () => {
      await expect(limits.admit(keyId, plan)).rejects.toThrow();
      for (const { release } of admitted) release();
      await new Promise(setImmediate);
    });
    await expect.poll(counted, bounded).not.toBe(before);
    await expect
      .poll(async () => {
        await askSomething();
        return inUse();
      }, bounded)
      .toBe(0);
  });

  it('a Redis that was stopped and continued holds no lock of an execution that was told to retry, and keeps other locks', async () => {
    const store = createIdempotencyStore(breaker, systemClock);
    const others = createIdempotencyStore(createRedisCircuitBreaker(onlooker, systemClock), systemClock);
    const execution = (name: string): Execution => {
      return { workspaceId: 'ws_1', name, token: randomUUID(), fingerprint: 'ab' };
    };
    const [late, overtaken, ended] = [execution('chg_late'), execution('chg_overtaken'), execution('chg_ended')];
    const all = [late, overtaken, ended];
    const lockOf = ({ name }: Execution) => `idem:{ws_1}:${name}:lock`;
    /** Locks do not end by themselves any more. */
    const held = async () => {
      for (const at of all) await onlooker.client.persist(lockOf(at));
      return onlooker.client.exists(...all.map(lockOf));
    };
    expect(await store.begin(ended)).toBe('acquired');
    expect(await held()).toBe(1);

    await whilePaused(async () => {
      await Promise.all([late, overtaken].map((at) => expect(store.begin(at)).rejects.toThrow()));
      await store.abandon(ended);
    });
    // They begin after their callers have stopped waiting.
    await expect.poll(held, bounded).toBe(3);
    await onlooker.client.del(lockOf(overtaken));
    const other = execution(overtaken.name);
    expect(await others.begin(other)).toBe('acquired');

    await expect
      .poll(async () => {
        await askSomething();
        return onlooker.client.exists(lockOf(late), lockOf(ended));
      }, bounded)
      .toBe(0);
    const answer = { status: 200, headers: {}, body: Buffer.from('x'), encoding: 'identity' } as const;
    expect(await others.finish(other, answer)).toBe('stored');
  });
});
