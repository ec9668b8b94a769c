import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newTestId, stack, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  const { hostname, port } = new URL(stack().redisUrl);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const id = newTestId();
  gateway = await startTestGateway({
    env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}`, REDIS_KEY_PREFIX: `${id}:` },
  });
  key = gateway.neighbours.addKey({ plan: { rpm: 10_000 } }).secret;
  gateway.neighbours.addStore('shop.example');
});
afterAll(async () => {
  await gateway.stop();
  proxy.stop();
});

const read = () => call(gateway, '/v1/stores/shop.example', { key });
const enrich = (name: string) =>
  call(gateway, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: { 'Idempotency-Key': name },
  });

describe.each(['freeze', 'cut'] as const)('Redis %s while the gateway runs', (fault) => {
  it('fails no request but idempotent ones, costs its time bound once, and is used again when it is back', async () => {
    const name = randomUUID();
    const first = await vi.waitFor(
      async () => {
        const answer = await enrich(name);
        expect(answer.status).toBe(200);
        return answer;
      },
      { timeout: 10_000, interval: 100 },
    );

    proxy[fault]();
    expect((await read()).status).toBe(200);
    const started = performance.now();
    for (let i = 0; i < 20; i++) expect((await read()).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(2_000);
    const refused = await enrich(randomUUID());
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status, { timeout: 6_000 }).toBe('degraded');

    proxy.mend();
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status, { timeout: 10_000 }).toBe('ok');
    const again = await enrich(name);
    expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', first.text]);
  });
});
