import { randomUUID } from 'node:crypto';
import { systemClock } from '@shopscope/clock';
import { startTcpProxy, type TcpProxy, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway, testRedis } from './support/gateway.ts';
import { call } from './support/http.ts';

let proxy: TcpProxy;
let gateway: TestGateway;
let key: string;
/** While it is set, no time passes for the gateway, so its circuit breaker admits no probe. */
let stoppedAtMs: number | undefined;
const clock = { ...systemClock, monotonicMs: () => stoppedAtMs ?? systemClock.monotonicMs() };

beforeAll(async () => {
  const backends = await startBackends();
  proxy = await startTcpProxy(new URL(backends.namespace.redisUrl));
  gateway = await startTestGateway({ backends, clock, env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` } });
  key = gateway.backends.addKey({ plan: { rpm: 10_000 } }).secret;
  gateway.backends.addStore('shop.example');
});
afterAll(async () => {
  await gateway.stop();
  await gateway.backends.stop();
  await proxy.close();
});

/** Counts the scripts that this process sends to Redis during `work`. */
async function scriptsDuring(work: () => Promise<void>): Promise<number> {
  const { client, close } = testRedis(gateway.namespace);
  const sent = vi.spyOn(Object.getPrototypeOf(client) as typeof client, 'sendCommand');
  await work();
  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  await close();
  return names.filter((name) => name.startsWith('eval')).length;
}

const read = () => call(gateway, '/v1/stores/shop.example', { key });
const enrich = (name: string) =>
  call(gateway, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: { 'Idempotency-Key': name },
  });

/** How Redis becomes unavailable and available again. Data sent to a frozen Redis is lost, because its connections end before it continues. */
const faults = {
  freezes: {
    begin: async () => proxy.freeze(),
    end: async () => {
      proxy.cut();
      proxy.thaw();
    },
  },
  'refuses connections': { begin: () => proxy.refuse(), end: () => proxy.accept() },
};

describe.each(['freezes', 'refuses connections'] as const)(
  'Redis that %s while the gateway runs',
  { tags: ['wall-clock'] },
  (fault) => {
    it('an unavailable Redis fails only requests with an Idempotency-Key, costs its time limit once, and is used again later', async () => {
      const name = randomUUID();
      const first = await vi.waitFor(
        async () => {
          const answer = await enrich(name);
          expect(answer.status).toBe(200);
          return answer;
        },
        { timeout: 60_000, interval: 100 },
      );

      await faults[fault].begin();
      expect((await read()).status).toBe(200);
      stoppedAtMs = systemClock.monotonicMs();
      const scripts = await scriptsDuring(async () => {
        for (let i = 0; i < 20; i++) expect((await read()).status).toBe(200);
      });
      expect(scripts).toBe(0);
      stoppedAtMs = undefined;
      const refused = await enrich(randomUUID());
      expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
      await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('degraded');

      await faults[fault].end();
      await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('ok');
      // A busy machine's Redis may miss its time bound once more; the client is told to retry.
      const again = await waitUntil('an answer other than 503', async () => {
        const answer = await enrich(name);
        return answer.status !== 503 && answer;
      });
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', first.text]);
    });
  },
);
