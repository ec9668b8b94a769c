import { createRequestDeadline } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { type Key, KeyStatus, KeyUse, type VerifyKeyResponse } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createAuthFailures } from './auth-failures.ts';
import { createAuthenticateKey } from './authenticate-key.ts';
import type { CallerUse } from './caller.ts';
import { unauthorizedMessages } from './unauthorized.ts';

const origin = { requestId: 'req_test', traceparent: '', environment: null };

function responseOf(
  over: { status?: KeyStatus; expiresAtMs?: number; keyId?: string; use?: KeyUse } = {},
): VerifyKeyResponse {
  const { status = KeyStatus.ACTIVE, expiresAtMs, keyId = 'key_1', use = KeyUse.API } = over;
  return {
    status,
    key: {
      id: keyId,
      workspaceId: 'ws_1',
      label: '',
      prefix: '',
      environment: 'live',
      scopes: [],
      createdAtMs: 0,
      createdBy: '',
      preset: '',
      createdFrom: '',
      revokedBy: '',
      use,
      expiresAtMs,
      revokedAtMs: undefined,
      status,
    },
    workspace: { id: 'ws_1', name: '', planSlug: 'growth', createdAtMs: 0 },
    plan: {
      slug: 'growth',
      rpm: 1,
      concurrency: 1,
      enrichBatchMax: 1,
      freshnessDays: 1,
      historyDays: 1,
      included: undefined,
      quotas: undefined,
    },
  };
}

function withKeys(options: { maxKeys?: number; maxPerMinute?: number } = {}) {
  const clock = new ManualClock();
  const state = { reads: 0, response: responseOf() as VerifyKeyResponse | Error, beforeResponse: async () => {} };
  const authenticateKey = createAuthenticateKey({
    clock,
    authFailures: createAuthFailures({ clock, maxPerMinute: options.maxPerMinute ?? 1_000 }),
    ...options,
    keys: {
      async verifyKey() {
        state.reads++;
        const { response } = state;
        await state.beforeResponse();
        if (response instanceof Error) throw response;
        return response;
      },
    },
  });
  const authenticate = async (token: string, address = '203.0.113.9', keyUses: CallerUse[] = ['api']) => {
    const context = { origin, deadline: createRequestDeadline(clock), address: () => address, keyUses };
    return authenticateKey.authenticate(token, context);
  };
  return { clock, state, authenticateKey, authenticate };
}

const unauthorized = { code: 'unauthorized' };
const malformed = { ...unauthorized, publicMessage: unauthorizedMessages.malformed };
const notActive = { ...unauthorized, publicMessage: unauthorizedMessages.notActive };
const unavailable = new AppError('internal', 'keys is unavailable');

describe('authenticateKey', () => {
  it('a malformed key is refused without a look-up', async () => {
    const { authenticate, state } = withKeys();
    const key = newApiKey('live');
    for (const token of [
      '',
      'x',
      'svc_live_',
      `${key}x`,
      key.slice(0, -1),
      key.replace(/.$/, (c) => (c === 'a' ? 'b' : 'a')),
    ]) {
      await expect(authenticate(token)).rejects.toMatchObject(malformed);
    }
    expect(state.reads).toBe(0);
  });

  it.each([
    ['dashboard', KeyUse.DASHBOARD, 'api'],
    ['api', KeyUse.API, 'dashboard'],
  ] as const)(
    'a key of the use %s is refused like an unknown one where it may not be used, also from the cache',
    async (use, keyUse, other) => {
      const { authenticate, state } = withKeys();
      const key = newApiKey('live');
      state.response = responseOf({ use: keyUse });
      await expect(authenticate(key, undefined, [other])).rejects.toMatchObject(notActive);
      expect(await authenticate(key, undefined, [use])).toMatchObject({ use });
      expect(await authenticate(key, undefined, [other, use])).toMatchObject({ use });
      await expect(authenticate(key, undefined, [other])).rejects.toMatchObject(notActive);
      expect(state.reads).toBe(1);
    },
  );

  it('a key is read once and cached for 30 s from the start of the read', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.beforeResponse = async () => clock.advance(4_000);
    await authenticate(key);
    clock.advance(25_999);
    await authenticate(key);
    expect(state.reads).toBe(1);
    clock.advance(1);
    await authenticate(key);
    expect(state.reads).toBe(2);
  });

  it('a cached key is not used for longer than 30 s, even when keys is unavailable', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    await authenticate(key);
    state.response = unavailable;
    clock.advance(29_999);
    await authenticate(key);
    clock.advance(1);
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'internal' });
    // A wall clock that is set back does not make the cached key valid again.
    clock.setWall(0);
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'internal' });
  });

  it('a key is read once for simultaneous requests', async () => {
    const { authenticate, state } = withKeys();
    const key = newApiKey('live');
    await Promise.all(Array.from({ length: 50 }, () => authenticate(key)));
    expect(state.reads).toBe(1);
  });

  it('a key that is not active is refused, even with a status that is added later', async () => {
    const { UNKNOWN, REVOKED, EXPIRED, SUSPENDED, UNSPECIFIED } = KeyStatus;
    const addedLater = 99 as KeyStatus;
    for (const status of [UNKNOWN, REVOKED, EXPIRED, SUSPENDED, UNSPECIFIED, addedLater]) {
      const { authenticate, state } = withKeys();
      state.response = responseOf({ status });
      const key = newApiKey('live');
      // The second refusal comes from the cache. One message for all statuses does not reveal which keys exist.
      await expect(authenticate(key)).rejects.toMatchObject(notActive);
      await expect(authenticate(key)).rejects.toMatchObject(notActive);
    }
  });

  it('a key of an unknown environment fails as internal, and the caller of another one has its environment', async () => {
    const { authenticate, state } = withKeys();
    const response = responseOf();
    state.response = { ...response, key: { ...(response.key as Key), environment: 'staging' } };
    await expect(authenticate(newApiKey('live'))).rejects.toMatchObject({ code: 'internal' });
    state.response = { ...response, key: { ...(response.key as Key), environment: 'test' } };
    expect((await authenticate(newApiKey('live'))).keyEnvironment).toBe('test');
  });

  it('the keys of a resumed workspace are accepted from the key event on, before the cached refusal expires', async () => {
    const { authenticate, authenticateKey, state } = withKeys();
    const key = newApiKey('live');
    state.response = responseOf({ status: KeyStatus.SUSPENDED });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    state.response = responseOf();
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    authenticateKey.invalidate({ keyId: '', workspaceId: 'ws_1', planSlug: '' });
    await authenticate(key);
  });

  it('the expiry of a key is checked at each use, also of a cached key', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.response = responseOf({ expiresAtMs: clock.now() + 1_000 });
    await authenticate(key);
    clock.advance(999);
    await authenticate(key);
    clock.advance(1);
    await expect(authenticate(key)).rejects.toMatchObject(notActive);
    expect(state.reads).toBe(1);
  });

  it('a change of a key, workspace or plan invalidates the cached keys that it affects', async () => {
    const changes = [
      { keyId: 'key_1', workspaceId: 'ws_1' },
      { keyId: '', workspaceId: 'ws_1' },
      { workspaceId: '', planSlug: 'growth' },
    ];
    for (const change of changes) {
      const { authenticate, authenticateKey, state } = withKeys();
      const key = newApiKey('live');
      await authenticate(key);
      authenticateKey.invalidate({ keyId: 'key_2', workspaceId: 'ws_1' });
      await authenticate(key);
      expect(state.reads).toBe(1);
      authenticateKey.invalidate(change);
      state.response = responseOf({ status: KeyStatus.REVOKED });
      await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    }
  });

  it('a result whose read began before a change is used once, and is not cached', async () => {
    const { authenticate, authenticateKey, state } = withKeys();
    const key = newApiKey('live');
    const gate = Promise.withResolvers<void>();
    state.beforeResponse = () => gate.promise;
    const early = authenticate(key);
    authenticateKey.invalidate({ keyId: 'key_1' });
    // A request after the change does not join the read that began before it.
    state.response = responseOf({ status: KeyStatus.REVOKED });
    const later = authenticate(key);
    gate.resolve();
    await expect(early).resolves.toMatchObject({ keyId: 'key_1' });
    await expect(later).rejects.toMatchObject(unauthorized);
    expect([state.reads, authenticateKey.size]).toEqual([2, 0]);
  });

  it('a refusal whose read began before a change is used once, and is not cached', async () => {
    const { authenticate, authenticateKey, state } = withKeys();
    const key = newApiKey('live');
    const gate = Promise.withResolvers<void>();
    state.beforeResponse = () => gate.promise;
    state.response = responseOf({ status: KeyStatus.SUSPENDED });
    const early = authenticate(key);
    authenticateKey.invalidate({ workspaceId: 'ws_1' });
    state.response = responseOf();
    gate.resolve();
    await expect(early).rejects.toMatchObject(unauthorized);
    await expect(authenticate(key)).resolves.toMatchObject({ keyId: 'key_1' });
  });

  it('refusals are cached for 5 s, and the number of cached keys is bounded', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.response = responseOf({ status: KeyStatus.UNKNOWN });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(1);
    clock.advance(5_000);
    state.response = responseOf();
    await authenticate(key);

    const bounded = withKeys({ maxKeys: 3 });
    for (let i = 0; i < 10; i++) await bounded.authenticate(newApiKey('live'));
    expect(bounded.authenticateKey.size).toBe(3);
  });
});

describe('limits of an address', () => {
  const rateLimited = { code: 'rate_limited' };
  const failTwice = async ({ authenticate, state }: ReturnType<typeof withKeys>) => {
    state.response = responseOf({ status: KeyStatus.UNKNOWN });
    for (let i = 0; i < 2; i++) await expect(authenticate(newApiKey('live'))).rejects.toMatchObject(unauthorized);
    state.response = responseOf();
  };

  it('an address that sends many invented keys at the same time has few of them looked up, and the rest are refused', async () => {
    const { authenticate, state } = withKeys({ maxPerMinute: 60 });
    state.response = responseOf({ status: KeyStatus.UNKNOWN });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.beforeResponse = () => promise;
    const burst = Array.from({ length: 2_000 }, () => authenticate(newApiKey('live')));
    expect(state.reads).toBe(16);
    // Another address does not wait.
    const other = authenticate(newApiKey('live'), '203.0.113.10');
    expect(state.reads).toBe(17);
    resolve();
    await expect(other).rejects.toMatchObject(unauthorized);
    const outcomes = await Promise.allSettled(burst);
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(1_900);
    expect(state.reads).toBeLessThan(100);
  });

  it('an address that sends many valid keys at the same time gets all of them accepted', async () => {
    const { authenticate, authenticateKey } = withKeys({ maxPerMinute: 60 });
    const keys = Array.from({ length: 500 }, () => newApiKey('live'));
    await Promise.all([...keys, ...keys].map((key) => authenticate(key)));
    expect(authenticateKey.size).toBe(500);
  });

  it('an address with too many refused keys gets one look-up per second for its minute, and others are not limited', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, clock, state } = given;
    await failTwice(given);
    state.response = responseOf({ status: KeyStatus.UNKNOWN });
    for (let second = 0; second < 50; second++) {
      const { reads } = state;
      await expect(authenticate(newApiKey('live'))).rejects.toMatchObject(unauthorized);
      for (let i = 0; i < 20; i++) {
        await expect(authenticate(newApiKey('live'))).rejects.toMatchObject({
          ...rateLimited,
          details: { retry_after: 1 },
        });
      }
      expect(state.reads).toBe(reads + 1);
      clock.advance(1_000);
    }
    state.response = responseOf();
    for (let i = 0; i < 20; i++) await authenticate(newApiKey('live'), '203.0.113.10');
    clock.advance(10_000);
    for (let i = 0; i < 20; i++) await authenticate(newApiKey('live'));
  });

  it('an address at its limit can use a valid new key, at the latest with the look-up of the next second', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, clock, state } = given;
    await failTwice(given);
    await authenticate(newApiKey('live'));
    const late = newApiKey('live');
    await expect(authenticate(late)).rejects.toMatchObject(rateLimited);
    clock.advance(1_000);
    await authenticate(late);
    // The key is cached from now on.
    const { reads } = state;
    for (let i = 0; i < 20; i++) await authenticate(late);
    expect(state.reads).toBe(reads);
  });

  it('an address is not limited because of one key that is refused many times', async () => {
    const { authenticate, clock, state } = withKeys({ maxPerMinute: 2 });
    const broken = newApiKey('live');
    state.response = responseOf({ status: KeyStatus.REVOKED });
    for (let i = 0; i < 200; i++) {
      await expect(authenticate(broken)).rejects.toMatchObject(unauthorized);
      clock.advance(250);
    }
    // One look-up per 5 s, the time for which a refusal is cached.
    expect(state.reads).toBe(10);
    state.response = responseOf();
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
  });

  it('an address is not limited because of malformed keys, which are refused without a look-up', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, state } = given;
    for (let i = 0; i < 50; i++) await expect(authenticate(`svc_live_${i}`)).rejects.toMatchObject(unauthorized);
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
    await failTwice(given);
    const { reads } = state;
    for (let i = 0; i < 50; i++) await expect(authenticate(`svc_live_${i}`)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(reads);
    // The malformed keys did not use the look-up of this second.
    await authenticate(newApiKey('live'));
  });

  it('an address at its limit spends no look-up for a cached refusal or for a key that is being read', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, state } = given;
    await failTwice(given);
    state.response = responseOf({ status: KeyStatus.REVOKED });
    const broken = newApiKey('live');
    await expect(authenticate(broken, '203.0.113.10')).rejects.toMatchObject(unauthorized);
    for (let i = 0; i < 5; i++) await expect(authenticate(broken)).rejects.toMatchObject(unauthorized);
    state.response = responseOf();
    const key = newApiKey('live');
    await Promise.all(Array.from({ length: 20 }, () => authenticate(key)));
  });

  it('an address at its limit can still use a key that was cached before, until the key is revoked', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, authenticateKey, clock, state } = given;
    const key = newApiKey('live');
    await authenticate(key);
    await failTwice(given);
    await authenticate(key);
    const { reads } = state;
    clock.advance(30_000);
    await authenticate(key);
    authenticateKey.invalidate({ planSlug: 'growth' });
    await authenticate(key);
    expect(state.reads).toBe(reads + 2);
    authenticateKey.invalidate({ keyId: 'key_1' });
    state.response = responseOf({ status: KeyStatus.REVOKED });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(reads + 3);
    // The key is not cached any more: its look-up is the one of this second, and the next one is refused.
    clock.advance(5_000);
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    await expect(authenticate(newApiKey('live'))).rejects.toMatchObject(rateLimited);
  });

  it('an address is not limited because keys is unavailable, or because of valid keys', async () => {
    const { authenticate, state } = withKeys({ maxPerMinute: 2 });
    state.response = unavailable;
    for (let i = 0; i < 5; i++)
      await expect(authenticate(newApiKey('live'))).rejects.toMatchObject({ code: 'internal' });
    state.response = responseOf();
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
  });
});
