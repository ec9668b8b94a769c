import { systemClock } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaseMs } from '../../src/limits/redis-limits.ts';
import { openTestRedis, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract, type TestAnswer } from './support/http.ts';
import { withinOneMinute } from './support/within-one-minute.ts';

const noon = Date.UTC(2031, 4, 15, 12);
let gateway: TestGateway;
let second: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  second = await startTestGateway({ backends: gateway.backends });
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});
beforeEach(() => {
  gateway.backends.faults.clear();
  gateway.backends.addStore('shop.example');
});

describe('rpm', () => {
  it('the rpm of a key is exact over several gateways, and requests above it are 429 rate_limited with Retry-After', async () => {
    const answers = await withinOneMinute(() => {
      const { secret } = gateway.backends.addKey({ plan: { rpm: 10, concurrency: 50 } });
      const ask = (i: number) => call(i % 2 ? gateway : second, '/v1/stores/shop.example', { key: secret });
      return Promise.all(Array.from({ length: 16 }, (_, i) => ask(i)));
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    for (const answer of refused) {
      fitsContract(answer, 'getStore');
      expect(answer.body.error.code).toBe('rate_limited');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
      const retryAfter = Number(answer.headers.get('retry-after'));
      expect(retryAfter).toBe(Number(answer.headers.get('x-ratelimit-reset')));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
    }
  });

  it('the rpm of a key counts every authenticated request, whatever its answer', async () => {
    const requests: [path: string, body?: object][] = [
      ['/v1/nowhere'],
      ['/v1/graphql', {}],
      ['/v1/stores/unknown.example'],
      ['/v1/stores/127.0.0.1'],
      ['/v1/account'],
      ['/v1/technologies'],
      ['/v1/account'],
    ];
    const statuses = await withinOneMinute(async () => {
      const { secret } = gateway.backends.addKey({ plan: { rpm: 6 } });
      const seen: number[] = [];
      for (const [path, body] of requests) seen.push((await call(gateway, path, { key: secret, body })).status);
      return seen;
    });
    expect(statuses).toEqual([404, 400, 404, 400, 200, 200, 429]);
  });

  it('the rpm limits each key separately', async () => {
    const statuses = await withinOneMinute(async () => {
      const { secret, workspaceId } = gateway.backends.addKey({ plan: { rpm: 1 } });
      const { secret: sibling } = gateway.backends.addKey({ plan: { rpm: 1 }, workspaceId });
      const seen: number[] = [];
      for (const key of [secret, secret, sibling]) seen.push((await call(gateway, '/v1/account', { key })).status);
      return seen;
    });
    expect(statuses).toEqual([200, 429, 200]);
  });
});

describe('concurrency', () => {
  it('the concurrency of a key is exact over gateways, requests above it are 503, and slots return with the answers', async () => {
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 3 } });
    await call(gateway, '/v1/account', { key: secret });
    const profiles = gateway.backends.hold('getStores');
    const ended: TestAnswer[] = [];
    const asking = Array.from({ length: 6 }, async (_, i) => {
      const answer = await call(i % 2 ? gateway : second, `/v1/stores/shop.example`, { key: secret });
      ended.push(answer);
      return answer;
    });
    await waitUntil('the answers that do not wait for profiles', () => ended.length === 3);
    const refused = [...ended];
    profiles.release();
    const answers = await Promise.all(asking);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of refused) {
      expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'concurrency_limited',
        '1',
      ]);
      fitsContract(answer, 'getStore');
    }
    await expect.poll(async () => (await call(second, '/v1/stores/shop.example', { key: secret })).status).toBe(200);
  });

  it('the slot of a caller who leaves is free again', async () => {
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 1 } });
    await call(gateway, '/v1/account', { key: secret });
    const profiles = Promise.withResolvers<void>();
    let timedOut = false;
    gateway.backends.faults.set('getStores', (_, { abort }) => {
      abort.addEventListener('abort', () => {
        timedOut = true;
      });
      return profiles.promise;
    });
    const left = new AbortController();
    const request = fetch(`${gateway.url}/v1/stores/shop.example`, {
      headers: { Authorization: `Bearer ${secret}` },
      signal: left.signal,
    });
    await expect.poll(async () => (await call(gateway, '/v1/account', { key: secret })).status).toBe(503);
    left.abort();
    await request.catch(() => {});
    await expect.poll(async () => (await call(gateway, '/v1/account', { key: secret })).status).toBe(200);
    // The time limit of the request would free the slot, too.
    expect(timedOut).toBe(false);
    profiles.resolve();
  });

  it('the slots of a dead gateway are free again within 15 s', async () => {
    expect(leaseMs).toBeLessThanOrEqual(15_000);
    const { secret, keyId } = gateway.backends.addKey({ plan: { concurrency: 1 } });
    await call(gateway, '/v1/account', { key: secret });
    const redis = await openTestRedis(gateway.namespace);
    const [seconds = 0] = (await redis.client.time()).map(Number);
    await redis.client.zadd(`slots:{${keyId}}`, seconds * 1_000 + leaseMs, 'of-a-dead-gateway');
    expect((await call(gateway, '/v1/account', { key: secret })).status).toBe(503);
    await redis.client.zadd(`slots:{${keyId}}`, seconds * 1_000 - 1, 'of-a-dead-gateway');
    expect((await call(gateway, '/v1/account', { key: secret })).status).toBe(200);
    await redis.close();
  });

  it('the slot of an answer is held for as long as the answer is written, and no longer', async () => {
    // Pauses between renewals are a fiftieth of their length.
    const clock = { ...systemClock, sleep: (ms: number, abort?: AbortSignal) => systemClock.sleep(ms / 50, abort) };
    const hurried = await startTestGateway({ backends: gateway.backends, clock });
    const { secret, keyId } = gateway.backends.addKey({ plan: { concurrency: 1 } });
    await call(hurried, '/v1/account', { key: secret });
    const redis = await openTestRedis(gateway.namespace);
    const slots = async () => {
      const found = await redis.client.zrange(`slots:{${keyId}}`, '0', '-1', 'WITHSCORES');
      const [seconds = 0] = (await redis.client.time()).map(Number);
      return found.flatMap((lease, i) => (i % 2 ? [] : [{ lease, leftMs: Number(found[i + 1]) - seconds * 1_000 }]));
    };

    const profiles = gateway.backends.hold('getStores');
    const answer = call(hurried, '/v1/stores/shop.example', { key: secret });
    await expect.poll(slots).toHaveLength(1);
    const [slot] = await slots();
    const [seconds = 0] = (await redis.client.time()).map(Number);
    // This has the same effect as 11 s of time.
    await redis.client.zadd(`slots:{${keyId}}`, seconds * 1_000 + 1_000, slot?.lease as string);
    await expect.poll(async () => (await slots())[0]?.leftMs).toBeGreaterThan(leaseMs - 3_000);
    expect((await call(second, '/v1/account', { key: secret })).status).toBe(503);

    profiles.release();
    expect((await answer).status).toBe(200);
    await expect.poll(slots).toEqual([]);
    await hurried.stop();
    await redis.close();
  });

  it('a slow sender holds no slot while it sends', async () => {
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 1 } });
    const sending = new AbortController();
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('{"domains":'));
      },
    });
    const slowly = fetch(`${gateway.url}/v1/stores/enrich`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
      signal: sending.signal,
    } as RequestInit);
    for (let i = 0; i < 5; i++) expect((await call(gateway, '/v1/account', { key: secret })).status).toBe(200);
    sending.abort();
    await slowly.catch(() => {});
  });
});

it('gateways without Redis each allow their share, and the limiter fails no request', {
  timeout: 60_000,
}, async () => {
  const env = { REDIS_URL: 'redis://127.0.0.1:1', REPLICAS: '2' };
  // The minute does not end during the test.
  const clock = { ...systemClock, now: () => noon };
  const lonely = await startTestGateway({ backends: gateway.backends, env, clock });
  const { secret } = gateway.backends.addKey({ plan: { rpm: 9, concurrency: 50 } });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call(lonely, '/v1/stores/shop.example', { key: secret })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  expect(answers.some(({ status }) => status >= 500)).toBe(false);
  await lonely.stop();
});
