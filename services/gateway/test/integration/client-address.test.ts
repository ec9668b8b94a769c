import { request } from 'node:http';
import { systemClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

/** The gateway trusts one address, and callers connect from the same and from another one. */
const proxy = '127.0.0.2';
const direct = '127.0.0.1';
const perMinute = 3;
/** The clock is stopped, so all requests are in one minute and one second. */
const startMs = Date.now();
const clock = { ...systemClock, now: () => startMs, monotonicMs: () => startMs };
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    clock,
    env: { AUTH_FAILURES_PER_MINUTE: String(perMinute), TRUSTED_PROXIES: proxy },
  });
});
afterAll(() => gateway.stop());

/** The status of a request that leaves from `localAddress`. */
const statusFrom = (localAddress: string, key: string, forwardedFor: string | string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': forwardedFor };
    const sent = request(`${gateway.url}/v1/account`, { localAddress, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end();
  });

/** Spends the failed keys of an address, and one more. The last status says whether all of them were counted together. */
async function spend(localAddress: string, forwardedFor: (n: number) => string | string[]): Promise<number> {
  let last = 0;
  for (let n = 0; n < perMinute + 2; n++) last = await statusFrom(localAddress, newApiKey('live'), forwardedFor(n));
  return last;
}

describe('the client address', () => {
  it('a caller can neither avoid the limit of refused keys of its own address nor use up that of another address', async () => {
    const victim = '198.51.100.1';
    // The caller connects directly, and writes another address in each request.
    expect(await spend(direct, (n) => (n === 0 ? victim : `203.0.113.${n}`))).toBe(429);
    expect(await spend(direct, () => victim)).toBe(429);
    // The caller comes through the proxy, which adds the address that it saw. Addresses further left are the caller's own text.
    expect(await spend(proxy, (n) => `${victim}, 10.9.9.9${n % 2 ? '' : ' '}`)).toBe(429);
    expect(await spend(proxy, () => [victim, victim, '192.168.7.7'])).toBe(429);
    expect(await spend(proxy, () => `${victim}, ::ffff:10.9.9.8`)).toBe(429);

    // An unfamiliar key of the victim is still looked up. Without budget it would get 429, as the keys above did.
    for (let n = 0; n < perMinute; n++) expect(await statusFrom(proxy, newApiKey('live'), victim)).toBe(401);
    expect(await statusFrom(proxy, gateway.backends.addKey().secret, victim)).toBe(200);
  });
});
