import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Stack, startStack } from '@shopscope/local-stack';
import { waitUntil } from '@shopscope/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backends, startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

/** Two gateways on a Redis of their own, which is killed, started again on its data, and emptied. */
const stateDir = mkdtempSync(join(tmpdir(), 'redis-killed-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let stack: Stack;
let backends: Backends;
let gateways: TestGateway[] = [];

beforeAll(async () => {
  // Only Redis is started. The names of the other two servers are not used.
  const external = { SHOPSCOPE_STACK: 'native', SHOPSCOPE_MONGODB_URL: 'unused', SHOPSCOPE_KAFKA_BROKERS: 'unused' };
  stack = await startStack({ stateDir, cacheDir, env: external });
  backends = await startBackends();
  backends.addStore('shop.example');
  const env = { REDIS_URL: stack.redis.url, REPLICAS: '2' };
  gateways = [await startTestGateway({ backends, env }), await startTestGateway({ backends, env })];
}, 240_000);
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await backends?.stop();
  await stack?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

async function withRedis<T>(use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(stack.redis.url);
  return use(redis).finally(() => redis.disconnect());
}

async function killRedis() {
  const [node] = stack.redis.nodes;
  const exited = node?.exited();
  process.kill(node?.pid as number, 'SIGKILL');
  await exited;
}

/** Resolves when both gateways store responses again. The health that they report is some seconds old. */
const untilWell = async () => {
  const { secret } = backends.addKey();
  const statuses = () => Promise.all(gateways.map(async (gateway) => (await enrich(gateway, secret)).status));
  await expect.poll(statuses).toEqual([200, 200]);
};

const enrich = (at: TestGateway, key: string, name: string = randomUUID()) =>
  call(at, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: { 'Idempotency-Key': name },
  });

/** On a busy machine Redis may not answer in time. A request that gets 503 is sent again. */
const enrichPatiently = async (...call: Parameters<typeof enrich>) => {
  let answer = await enrich(...call);
  for (let i = 0; i < 20 && answer.status === 503; i++) answer = await enrich(...call);
  return answer;
};

describe('Redis killed with SIGKILL', { tags: ['wall-clock'] }, () => {
  it('a Redis killed with SIGKILL keeps what it acknowledged: stored responses replay and bill nothing', {
    timeout: 120_000,
  }, async () => {
    const [gateway, other] = gateways as [TestGateway, TestGateway];
    const settings = await withRedis(async (redis) => [
      await redis.config('GET', 'appendonly'),
      await redis.config('GET', 'appendfsync'),
    ]);
    expect(settings).toEqual([
      ['appendonly', 'yes'],
      ['appendfsync', 'everysec'],
    ]);
    const { secret } = backends.addKey();
    const names = Array.from({ length: 10 }, () => randomUUID());
    // The gateway also sends a response that Redis did not store in time. A replayed response is stored.
    const storedResponseOf = async (name: string) => {
      let answer = await enrich(gateway, secret, name);
      for (let i = 0; i < 20 && !answer.headers.has('idempotent-replayed'); i++) {
        answer = await enrich(gateway, secret, name);
      }
      return answer;
    };
    const answers = await Promise.all(names.map(storedResponseOf));
    await killRedis();

    const refused = await enrich(gateway, secret, names[0]);
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    expect((await call(gateway, '/v1/stores/shop.example', { key: secret })).status).toBe(200);

    await stack.redis.start();
    await untilWell();
    const charged = backends.calls('reserve').length;
    for (const [i, name] of names.entries()) {
      const again = await enrichPatiently(other, secret, name);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(again.text).toBe(answers[i]?.text);
    }
    expect(backends.calls('reserve')).toHaveLength(charged);
  });

  it('a Redis killed or emptied several times in a minute lets at most twice the rate pass and fails no request', {
    timeout: 240_000,
  }, async () => {
    const limit = 10;
    const minute = () => Math.floor(Date.now() / 60_000);
    const admittedIn = async () => {
      // Usually the rest of the minute suffices. Otherwise the rate of each further minute passes, too.
      await waitUntil('the first half of a minute', () => Date.now() % 60_000 < 30_000);
      const { secret } = backends.addKey({ plan: { rpm: limit, concurrency: 100 } });
      const began = minute();
      const statuses: number[] = [];
      const ask = async () => {
        const asked = Array.from({ length: 24 }, (_, i) =>
          call(gateways[i % 2] as TestGateway, '/v1/account', { key: secret }),
        );
        statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
        return statuses.filter((status) => status === 200).length;
      };
      await ask();
      await withRedis((redis) => redis.flushall());
      await ask();
      await killRedis();
      await ask();
      await stack.redis.start();
      await untilWell();
      await ask();
      await withRedis((redis) => redis.flushall());
      const admitted = await ask();
      return { minutes: minute() - began + 1, admitted, statuses: new Set(statuses) };
    };
    const { minutes, admitted, statuses } = await admittedIn();
    expect(admitted).toBeLessThanOrEqual(minutes * 2 * limit);
    expect([...statuses].sort()).toEqual([200, 429]);
  });
});
