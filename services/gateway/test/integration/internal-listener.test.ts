import { newApiKey } from '@shopscope/ids';
import { KeyUse } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unauthorizedMessages } from '../../src/keys/unauthorized.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ env: { TRUSTED_PROXIES: '127.0.0.1', AUTH_FAILURES_PER_MINUTE: '1' } });
  gateway.backends.addStore('shop.example');
});
afterAll(() => gateway.stop());

const body = { domains: ['shop.example'], refresh: false };

describe('the internal listener', () => {
  it("the internal listener serves the dashboard's key by the same contract, and bills its workspace", async () => {
    const { secret, keyId } = gateway.backends.addKey({ use: KeyUse.DASHBOARD, label: 'Dashboard' });
    const headers = { 'Idempotency-Key': 'the first look-up', 'X-Request-Id': 'req_of_the_dashboard' };
    const first = await call(gateway.internal, '/v1/stores/enrich', { key: secret, body, headers });
    expect([first.status, first.body.billed]).toEqual([200, { lookup_cached: 1, lookup_live: 0 }]);
    expect(first.headers.get('x-request-id')).toBe('req_of_the_dashboard');
    fitsContract(first, 'enrichStores');
    const again = await call(gateway.internal, '/v1/stores/enrich', { key: secret, body, headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const usage = async () => (await call(gateway.internal, '/v1/usage', { key: secret })).body;
    await expect
      .poll(async () => (await usage()).by_key)
      .toMatchObject([{ key_id: keyId, label: 'Dashboard', used: { lookup_cached: 1 } }]);
  });

  it("the public listener refuses the dashboard's key like an unknown one, and the internal listener serves all keys", async () => {
    const dashboard = gateway.backends.addKey({ use: KeyUse.DASHBOARD }).secret;
    const people = gateway.backends.addKey().secret;
    const unknown = { code: 'unauthorized', message: unauthorizedMessages.notActive };
    const headers = { 'X-Forwarded-For': '203.0.113.1' };
    // Twice: the second request finds the key in the cache.
    for (const _ of [1, 2]) {
      const refused = await call(gateway, '/v1/account', { key: dashboard, headers });
      expect([refused.status, refused.body.error]).toEqual([401, { ...unknown, request_id: expect.any(String) }]);
      for (const [at, key] of [
        [gateway, people],
        [gateway.internal, people],
        [gateway.internal, dashboard],
      ] as const)
        expect((await call(at, '/v1/account', { key })).status).toBe(200);
    }
  });

  it('the internal listener limits refused keys by the client address that a trusted proxy names', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    const ask = (key: string) => call(gateway.internal, '/v1/account', { key, headers });
    const refusals = [];
    for (let n = 0; n < 4; n++) refusals.push((await ask(newApiKey('live'))).status);
    expect(refusals).toContain(429);
    const { secret } = gateway.backends.addKey({ use: KeyUse.DASHBOARD });
    const elsewhere = { 'X-Forwarded-For': '198.51.100.8' };
    expect((await call(gateway.internal, '/v1/account', { key: secret, headers: elsewhere })).status).toBe(200);
  });
});
