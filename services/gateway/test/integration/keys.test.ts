import { dayMs, systemClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import { KeyChange, type KeyChanged, KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unauthorizedMessages } from '../../src/keys/unauthorized.ts';
import { publishKeyChange, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let aheadMs = 0;
/** The time by which keys expire. */
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
beforeAll(async () => {
  gateway = await startTestGateway({ clock });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  aheadMs = 0;
  gateway.backends.faults.clear();
  gateway.backends.forgetCalls();
});

const account = (authorization?: string) =>
  call(gateway, '/v1/account', { headers: authorization === undefined ? {} : { Authorization: authorization } });

const publish = (event: Partial<KeyChanged>) => publishKeyChange(gateway.namespace, event);

/** Shorter than the 30 s of a cache entry, so that only the event can be the reason. */
const pushed = { timeout: 20_000 };

describe('API keys', () => {
  it('an API key that is missing or malformed is 401 with WWW-Authenticate, and keys is not called', async () => {
    const valid = gateway.backends.addKey().secret;
    const mistyped = valid.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const { noHeader, notBearer, malformed } = unauthorizedMessages;
    const foreign = (point: string) =>
      `The bearer token has the character ${point}, which no API key has; send the key alone, without quotes, blanks and a byte order mark.`;
    for (const [header, message] of [
      [undefined, noHeader],
      ['', notBearer],
      ['Bearer', malformed],
      ['Bearer ', malformed],
      [`Basic ${valid}`, notBearer],
      [`Bearer:${valid}`, notBearer],
      [valid, notBearer],
      [`Bearer ${mistyped}`, malformed],
      ['Bearer svc_live_x', malformed],
      [`Bearer ${valid} x`, foreign('U+0020')],
      [`Bearer "${valid}"`, foreign('U+0022')],
      [`Bearer \u00ef\u00bb\u00bf${valid}`, foreign('U+FEFF')],
    ] as const) {
      const answer = await account(header);
      expect([answer.status, answer.body.error.code], header).toEqual([401, 'unauthorized']);
      expect(answer.body.error.message, header).toBe(message);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
      fitsContract(answer, 'getAccount');
    }
    expect(gateway.backends.calls('verifyKey')).toHaveLength(0);
  });

  it('an API key outside Authorization is 401, with the message that this header is missing', async () => {
    const { secret } = gateway.backends.addKey();
    const answers = [
      await call(gateway, '/v1/account', { headers: { 'X-API-Key': secret } }),
      await call(gateway, `/v1/account?api_key=${secret}`),
    ];
    for (const { status, body, text } of answers) {
      expect([status, body.error.message]).toEqual([401, unauthorizedMessages.noHeader]);
      expect(text).not.toContain(secret.slice(13));
    }
  });

  it('an API key that is well-formed but unknown, revoked or expired is 401', async () => {
    const { addKey } = gateway.backends;
    const revoked = addKey({ status: KeyStatus.REVOKED }).secret;
    const expired = addKey({ status: KeyStatus.EXPIRED }).secret;
    const expiresNow = addKey({ expiresAtMs: Date.now() - 1 }).secret;
    // One text for all of them: nobody learns whether a key ever existed.
    for (const secret of [newApiKey('live'), newApiKey('test'), revoked, expired, expiresNow]) {
      const answer = await account(`Bearer ${secret}`);
      expect([answer.status, answer.body.error.message]).toEqual([401, unauthorizedMessages.notActive]);
    }
  });

  it('an API key that expires while it is cached is 401 from that instant', async () => {
    const { secret } = gateway.backends.addKey({ expiresAtMs: Date.now() + 3_600_000 });
    expect((await account(`Bearer ${secret}`)).status).toBe(200);
    aheadMs = 3_600_000;
    expect((await account(`Bearer ${secret}`)).status).toBe(401);
    expect(gateway.backends.calls('verifyKey')).toHaveLength(1);
  });

  it('an API key is read with its scheme in any case, and reaches keys only as a digest', async () => {
    const { secret } = gateway.backends.addKey();
    expect((await account(`bearer ${secret}`)).status).toBe(200);
    expect(JSON.stringify(gateway.backends.calls('verifyKey'))).not.toContain(secret.slice(13));
  });

  it('an API key is verified once for many requests', async () => {
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 100 } });
    await Promise.all(Array.from({ length: 30 }, () => account(`Bearer ${secret}`)));
    expect(gateway.backends.calls('verifyKey')).toHaveLength(1);
  });

  it('an API key that is revoked is refused after the event, while its cache entry is valid', async () => {
    const { secret, keyId, workspaceId } = gateway.backends.addKey();
    const { secret: sibling } = gateway.backends.addKey({ workspaceId });
    expect((await account(`Bearer ${secret}`)).status).toBe(200);
    expect((await account(`Bearer ${sibling}`)).status).toBe(200);
    gateway.backends.setStatus(secret, KeyStatus.REVOKED);
    expect((await account(`Bearer ${secret}`)).status).toBe(200);
    await publish({ change: KeyChange.KEY_REVOKED, keyId, workspaceId });
    await expect.poll(async () => (await account(`Bearer ${secret}`)).status, pushed).toBe(401);
    expect((await account(`Bearer ${sibling}`)).status).toBe(200);
  });

  it('an API key that is about to expire stays cached after the event', async () => {
    const { secret, keyId, workspaceId } = gateway.backends.addKey();
    const { secret: sibling, keyId: siblingId } = gateway.backends.addKey({ workspaceId });
    for (const each of [secret, sibling]) expect((await account(`Bearer ${each}`)).status).toBe(200);
    gateway.backends.setStatus(sibling, KeyStatus.REVOKED);
    gateway.backends.forgetCalls();
    const expiresAtMs = Date.now() + 7 * dayMs;
    await publish({ change: KeyChange.KEY_EXPIRING, keyId, workspaceId, expiresAtMs, daysLeft: 7 });
    // Events of one workspace are read in order.
    await publish({ change: KeyChange.KEY_REVOKED, keyId: siblingId, workspaceId });
    await expect.poll(async () => (await account(`Bearer ${sibling}`)).status, pushed).toBe(401);
    expect(gateway.backends.calls('verifyKey')).toHaveLength(1);
    expect((await account(`Bearer ${secret}`)).status).toBe(200);
    expect(gateway.backends.calls('verifyKey')).toHaveLength(1);
  });

  it('an API key of a suspended workspace is refused after the event, and works again after the workspace is resumed', async () => {
    const { secret, workspaceId } = gateway.backends.addKey();
    const { secret: sibling } = gateway.backends.addKey({ workspaceId });
    const { secret: stranger } = gateway.backends.addKey();
    const statuses = () =>
      Promise.all([secret, sibling, stranger].map(async (each) => (await account(`Bearer ${each}`)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    for (const each of [secret, sibling]) gateway.backends.setStatus(each, KeyStatus.SUSPENDED);
    expect(await statuses()).toEqual([200, 200, 200]);
    await publish({ change: KeyChange.WORKSPACE_SUSPENDED, workspaceId });
    await expect.poll(statuses, pushed).toEqual([401, 401, 200]);
    for (const each of [secret, sibling]) gateway.backends.setStatus(each, KeyStatus.ACTIVE);
    await publish({ change: KeyChange.WORKSPACE_RESUMED, workspaceId });
    await expect.poll(statuses, pushed).toEqual([200, 200, 200]);
  });

  it('an API key of a deleted workspace is refused after the event of the deletion, although it is cached', async () => {
    const { secret, workspaceId } = gateway.backends.addKey();
    const { secret: stranger } = gateway.backends.addKey();
    const statuses = () =>
      Promise.all([secret, stranger].map(async (each) => (await account(`Bearer ${each}`)).status));
    expect(await statuses()).toEqual([200, 200]);
    gateway.backends.setStatus(secret, KeyStatus.REVOKED);
    expect(await statuses()).toEqual([200, 200]);
    await publish({ change: KeyChange.WORKSPACE_DELETED, workspaceId });
    await expect.poll(statuses, pushed).toEqual([401, 200]);
  });

  it('an API key follows a change of plan after the event, while its cache entry is valid', async () => {
    const { secret, workspaceId } = gateway.backends.addKey();
    await account(`Bearer ${secret}`);
    const verified = () => gateway.backends.calls('verifyKey').length;
    const before = verified();
    await publish({ change: KeyChange.WORKSPACE_CHANGED, workspaceId });
    await expect
      .poll(async () => [(await account(`Bearer ${secret}`)).status, verified()], pushed)
      .toEqual([200, before + 1]);
    await publish({ change: KeyChange.PLAN_CHANGED, planSlug: 'growth' });
    await expect
      .poll(async () => [(await account(`Bearer ${secret}`)).status, verified()], pushed)
      .toEqual([200, before + 2]);
  });

  it('an API key that cannot be verified because keys is unavailable is 500 internal, not 401', async () => {
    const { secret } = gateway.backends.addKey();
    gateway.backends.faults.set('verifyKey', () => {
      throw new Error('away');
    });
    const answer = await account(`Bearer ${secret}`);
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    gateway.backends.faults.clear();
    expect((await account(`Bearer ${secret}`)).status).toBe(200);
  });
});

/** The system's clock until it is stopped; then monotonic time moves by `advance` alone, and continues from there. */
function stoppableClock() {
  let offsetMs = 0;
  let stoppedMs: number | undefined;
  const monotonicMs = () => stoppedMs ?? systemClock.monotonicMs() + offsetMs;
  return {
    ...systemClock,
    monotonicMs,
    stop() {
      stoppedMs = monotonicMs();
    },
    advance(ms: number) {
      stoppedMs = monotonicMs() + ms;
    },
    run() {
      offsetMs = monotonicMs() - systemClock.monotonicMs();
      stoppedMs = undefined;
    },
  };
}

describe('refused keys from one address', () => {
  const clock = stoppableClock();
  let limited: TestGateway;
  beforeAll(async () => {
    limited = await startTestGateway({
      backends: gateway.backends,
      clock,
      env: { AUTH_FAILURES_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.0/8' },
    });
  });
  afterAll(() => limited.stop());

  const from = (address: string, key: string | undefined) =>
    call(limited, '/v1/account', { key, headers: { 'X-Forwarded-For': `8.8.8.8, ${address}` } });

  it('refused keys of an address end in 429 except for one look-up a second, and cached keys from there still pass', async () => {
    const address = '203.0.113.9';
    const { secret } = gateway.backends.addKey();
    expect((await from(address, secret)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await from(address, newApiKey('live'))).status).toBe(401);
    gateway.backends.forgetCalls();
    // The gateway's clock is stopped from here on, so all later calls are in one second.
    clock.stop();

    expect((await from(address, newApiKey('live'))).status).toBe(401);
    const refused = await from(address, newApiKey('live'));
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    fitsContract(refused, 'getAccount');
    expect(refused.headers.get('retry-after')).toBe('1');
    const unfamiliar = gateway.backends.addKey().secret;
    expect((await from(address, unfamiliar)).status).toBe(429);
    expect(gateway.backends.calls('verifyKey')).toHaveLength(1);

    expect((await from(address, secret)).status).toBe(200);
    expect((await from('203.0.113.10', unfamiliar)).status).toBe(200);
    // No key was sent, so the answer is a 401.
    expect((await from(address, undefined)).status).toBe(401);
    const metrics = await (await fetch(`${limited.service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/gateway_key_lookups_total\{[^}]*outcome="address_limited"[^}]*\} 2/);
    const another = gateway.backends.addKey().secret;
    expect((await from(address, another)).status).toBe(429);
    clock.advance(1_000);
    expect((await from(address, another)).status).toBe(200);
    clock.run();
  });

  it('a broken key that an office sends 200 times does not keep out its new valid key', async () => {
    const address = '203.0.113.20';
    const revoked = gateway.backends.addKey({ status: KeyStatus.REVOKED }).secret;
    for (let i = 0; i < 200; i++) expect((await from(address, revoked)).status).toBe(401);
    expect((await from(address, gateway.backends.addKey().secret)).status).toBe(200);
  });

  it('refused keys count for the connection’s address when it is not a trusted proxy, whatever X-Forwarded-For says', async () => {
    const direct = await startTestGateway({
      backends: gateway.backends,
      clock,
      env: { AUTH_FAILURES_PER_MINUTE: '3' },
    });
    clock.stop();
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const headers = { 'X-Forwarded-For': `203.0.113.${i}` };
      statuses.push((await call(direct, '/v1/account', { key: newApiKey('live'), headers })).status);
    }
    clock.run();
    // Three, then the one of that second.
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    await direct.stop();
  });
});
