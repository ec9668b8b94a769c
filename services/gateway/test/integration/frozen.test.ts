import { randomUUID } from 'node:crypto';
import { systemClock } from '@shopscope/clock';
import { startTcpProxy, type TcpProxy } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, type TestAnswer } from './support/http.ts';
import { startTestMetering, type TestMetering } from './support/metering.ts';

let metering: TestMetering;
beforeAll(async () => {
  metering = await startTestMetering();
});
afterAll(() => metering.stop());

/** A proxy to each server behind the gateway. A frozen proxy keeps its connections, and no byte passes. */
const backends = ['keys', 'profiles', 'metering', 'scan-scheduler'] as const;
type Downstream = (typeof backends)[number] | 'redis' | 'kafka';

interface Given {
  gateway: TestGateway;
  secret: string;
  /** Freezes these servers before the next request. */
  freeze(...names: Downstream[]): void;
  read(): Promise<TestAnswer>;
  /** With refresh, so that every backend takes part. */
  enrich(idempotencyKey?: string): Promise<TestAnswer>;
  /** Moves the monotonic clock of the gateway. Its timers do not move. */
  pass(ms: number): void;
}

async function withWays(test: (given: Given) => Promise<void>) {
  const played = await startBackends({ metering });
  const ways = new Map<Downstream, TcpProxy>();
  for (const name of backends) ways.set(name, await startTcpProxy(new URL(`tcp://${played.address}`)));
  ways.set('redis', await startTcpProxy(new URL(metering.namespace.redisUrl)));
  const to = (name: Downstream) => `127.0.0.1:${ways.get(name)?.port}`;
  let passedMs = 0;
  const gateway = await startTestGateway({
    backends: played,
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs },
    env: {
      KEYS_ADDRESS: to('keys'),
      PROFILES_ADDRESS: to('profiles'),
      METERING_ADDRESS: to('metering'),
      SCAN_SCHEDULER_ADDRESS: to('scan-scheduler'),
      REDIS_URL: `redis://${to('redis')}`,
    },
  });
  played.addStore('shop.example');
  const { secret } = played.addKey();
  try {
    await test({
      gateway,
      secret,
      freeze(...names) {
        for (const name of names) ways.get(name)?.freeze();
      },
      read: () => call(gateway, '/v1/stores/shop.example', { key: secret }),
      enrich: (name) =>
        call(gateway, '/v1/stores/enrich', {
          key: secret,
          body: { domains: ['shop.example', 'unknown.example'], refresh: true },
          headers: name === undefined ? {} : { 'Idempotency-Key': name },
        }),
      pass(ms) {
        passedMs += ms;
      },
    });
  } finally {
    for (const way of ways.values()) await way.close();
    await gateway.stop();
    await played.stop();
  }
}

/** Frozen servers stay frozen, so that only the time limit of the gateway ends a request. */
const timeout = 90_000;
const internal = (answer: TestAnswer) => {
  expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
};

describe.concurrent('the time limit with frozen backends', { tags: ['wall-clock'] }, () => {
  it('an answer is sent by 10.5 s when keys is frozen, and is internal for keys that are not cached', { timeout }, () =>
    withWays(async ({ freeze, read, enrich }) => {
      freeze('keys');
      for (const answer of await Promise.all([read(), enrich()])) internal(answer);
    }),
  );

  it.each(['profiles', 'metering'] as const)('answers are internal by 10.5 s when %s is frozen', { timeout }, (name) =>
    withWays(async ({ freeze, read, enrich }) => {
      await read();
      freeze(name);
      for (const answer of await Promise.all([read(), enrich()])) internal(answer);
    }),
  );

  it('an answer is sent by 10.5 s when scan-scheduler is frozen, and is internal only with refresh', { timeout }, () =>
    withWays(async ({ freeze, read, enrich }) => {
      await read();
      freeze('scan-scheduler');
      internal(await enrich());
      await vi.waitFor(async () => expect((await read()).status).toBe(200), { timeout: 60_000 });
    }),
  );

  it('a frozen Redis delays no answer beyond 10.5 s, and only an Idempotency-Key is unavailable', { timeout }, () =>
    withWays(async ({ freeze, read, enrich }) => {
      await read();
      freeze('redis');
      const once = await enrich(randomUUID());
      expect([once.status, once.body.error.code]).toEqual([503, 'unavailable']);
      for (const plain of [read, enrich])
        await vi.waitFor(async () => expect((await plain()).status).toBe(200), { timeout: 60_000 });
    }),
  );

  it(
    'an answer is sent by 10.5 s when backends freeze one after the other, because one deadline bounds them',
    { timeout },
    () =>
      withWays(async ({ gateway, freeze, enrich, pass }) => {
        const leftMs: number[] = [];
        const slowly = (method: string, then = () => {}) =>
          gateway.backends.faults.set(method, async (_, { deadline }) => {
            leftMs.push(deadline.timeoutMs());
            pass(2_500);
            then();
          });
        slowly('verifyKey');
        slowly('getStores');
        slowly('claimScans', () => freeze('metering', 'redis'));
        internal(await enrich());
        // On a busy machine less time is left, never more.
        for (const [i, mostMs] of [5_000, 7_500, 5_000].entries()) {
          expect(leftMs[i]).toBeGreaterThan(0);
          expect(leftMs[i]).toBeLessThanOrEqual(mostMs + 50);
        }
      }),
  );

  it(
    'a request that waits for another execution of its Idempotency-Key is answered by 10.5 s, because of its own deadline',
    { timeout },
    () =>
      withWays(async ({ read, freeze, enrich }) => {
        await read();
        freeze('profiles');
        const name = randomUUID();
        for (const { status } of await Promise.all([enrich(name), enrich(name)])) expect([500, 503]).toContain(status);
      }),
  );
});
