import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { KeyStatus, type VerifyKeyResponse } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createRequestDeadline } from '../domain/request-deadline.ts';
import { unauthorizedMessages } from '../domain/unauthorized.ts';
import { createAuthFailures } from '../outbound/memory/auth-failures.ts';
import { createAuthenticateKey } from './authenticate-key.ts';

const origin = { requestId: 'req_test', traceparent: '' };

function answerOf(over: { status?: KeyStatus; expiresAtMs?: number; keyId?: string } = {}): VerifyKeyResponse {
  const { status = KeyStatus.ACTIVE, expiresAtMs, keyId = 'key_1' } = over;
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
    },
  };
}

function withKeys(options: { maxKeys?: number; maxPerMinute?: number } = {}) {
  const clock = new ManualClock();
  const state = { reads: 0, answer: answerOf() as VerifyKeyResponse | Error, beforeAnswer: async () => {} };
  const authenticateKey = createAuthenticateKey({
    clock,
    authFailures: createAuthFailures({ clock, maxPerMinute: options.maxPerMinute ?? 1_000 }),
    ...options,
    keys: {
      async verifyKey() {
        state.reads++;
        const { answer } = state;
        await state.beforeAnswer();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  });
  const authenticate = async (token: string, address = '203.0.113.9') =>
    authenticateKey.authenticate(token, { origin, deadline: createRequestDeadline(clock), address: () => address });
  return { clock, state, authenticateKey, authenticate };
}

const unauthorized = { code: 'unauthorized' };
const malformed = { ...unauthorized, publicMessage: unauthorizedMessages.malformed };
const notActive = { ...unauthorized, publicMessage: unauthorizedMessages.notActive };
const internal = new AppError('internal', 'away');

describe('authenticating a key', () => {
  it('refuses an invented key without asking anybody', async () => {
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

  it('asks once and remembers for 30 s from the start of the read', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.beforeAnswer = async () => clock.advance(4_000);
    await authenticate(key);
    clock.advance(25_999);
    await authenticate(key);
    expect(state.reads).toBe(1);
    clock.advance(1);
    await authenticate(key);
    expect(state.reads).toBe(2);
  });

  it('never trusts what it remembers beyond that, when keys cannot be reached', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    await authenticate(key);
    state.answer = internal;
    clock.advance(29_999);
    await authenticate(key);
    clock.advance(1);
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'internal' });
    // A clock that somebody sets back does not revive it.
    clock.setWall(0);
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'internal' });
  });

  it('reads once for simultaneous requests', async () => {
    const { authenticate, state } = withKeys();
    const key = newApiKey('live');
    await Promise.all(Array.from({ length: 50 }, () => authenticate(key)));
    expect(state.reads).toBe(1);
  });

  it('refuses every key that is not active, whatever newer keys services may call its status', async () => {
    const { UNKNOWN, REVOKED, EXPIRED, SUSPENDED, UNSPECIFIED } = KeyStatus;
    const addedLater = 99 as KeyStatus;
    for (const status of [UNKNOWN, REVOKED, EXPIRED, SUSPENDED, UNSPECIFIED, addedLater]) {
      const { authenticate, state } = withKeys();
      state.answer = answerOf({ status });
      const key = newApiKey('live');
      // The second answer is the remembered refusal; one text for all of them tells nobody which keys exist.
      await expect(authenticate(key)).rejects.toMatchObject(notActive);
      await expect(authenticate(key)).rejects.toMatchObject(notActive);
    }
  });

  it('accepts the keys of a resumed workspace from the event on, without waiting for the refusal to end', async () => {
    const { authenticate, authenticateKey, state } = withKeys();
    const key = newApiKey('live');
    state.answer = answerOf({ status: KeyStatus.SUSPENDED });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    state.answer = answerOf();
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    authenticateKey.forget({ keyId: '', workspaceId: 'ws_1', planSlug: '' });
    await authenticate(key);
  });

  it('checks expiry at each use, remembered or not', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.answer = answerOf({ expiresAtMs: clock.now() + 1_000 });
    await authenticate(key);
    clock.advance(999);
    await authenticate(key);
    clock.advance(1);
    await expect(authenticate(key)).rejects.toMatchObject(notActive);
    expect(state.reads).toBe(1);
  });

  it('forgets a key, a workspace or a plan as soon as it hears of a change', async () => {
    const changes = [
      { keyId: 'key_1', workspaceId: 'ws_1' },
      { keyId: '', workspaceId: 'ws_1' },
      { workspaceId: '', planSlug: 'growth' },
    ];
    for (const change of changes) {
      const { authenticate, authenticateKey, state } = withKeys();
      const key = newApiKey('live');
      await authenticate(key);
      authenticateKey.forget({ keyId: 'key_2', workspaceId: 'ws_1' });
      await authenticate(key);
      expect(state.reads).toBe(1);
      authenticateKey.forget(change);
      state.answer = answerOf({ status: KeyStatus.REVOKED });
      await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    }
  });

  it('uses an answer whose read began before a change once, and does not remember it', async () => {
    const { authenticate, authenticateKey, state } = withKeys();
    const key = newApiKey('live');
    const gate = Promise.withResolvers<void>();
    state.beforeAnswer = () => gate.promise;
    const early = authenticate(key);
    authenticateKey.forget({ keyId: 'key_1' });
    // Who comes after the change does not join the read from before it.
    state.answer = answerOf({ status: KeyStatus.REVOKED });
    const later = authenticate(key);
    gate.resolve();
    await expect(early).resolves.toMatchObject({ keyId: 'key_1' });
    await expect(later).rejects.toMatchObject(unauthorized);
    expect([state.reads, authenticateKey.size]).toEqual([2, 0]);
  });

  it('remembers refusals for a short while, and a bounded number of keys', async () => {
    const { authenticate, clock, state } = withKeys();
    const key = newApiKey('live');
    state.answer = answerOf({ status: KeyStatus.UNKNOWN });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(1);
    clock.advance(5_000);
    state.answer = answerOf();
    await authenticate(key);

    const bounded = withKeys({ maxKeys: 3 });
    for (let i = 0; i < 10; i++) await bounded.authenticate(newApiKey('live'));
    expect(bounded.authenticateKey.size).toBe(3);
  });
});

describe('an address from which too many keys were refused', () => {
  const rateLimited = { code: 'rate_limited' };
  const failTwice = async ({ authenticate, state }: ReturnType<typeof withKeys>) => {
    state.answer = answerOf({ status: KeyStatus.UNKNOWN });
    for (let i = 0; i < 2; i++) await expect(authenticate(newApiKey('live'))).rejects.toMatchObject(unauthorized);
    state.answer = answerOf();
  };

  it('gets one look-up of invented keys a second for the rest of its minute; other addresses get theirs', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, clock, state } = given;
    await failTwice(given);
    state.answer = answerOf({ status: KeyStatus.UNKNOWN });
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
    state.answer = answerOf();
    for (let i = 0; i < 20; i++) await authenticate(newApiKey('live'), '203.0.113.10');
    clock.advance(10_000);
    for (let i = 0; i < 20; i++) await authenticate(newApiKey('live'));
  });

  it('lets a valid key that is new there work at once, or a second later when that second is taken', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, clock, state } = given;
    await failTwice(given);
    await authenticate(newApiKey('live'));
    const late = newApiKey('live');
    await expect(authenticate(late)).rejects.toMatchObject(rateLimited);
    clock.advance(1_000);
    await authenticate(late);
    // From then on it is familiar.
    const { reads } = state;
    for (let i = 0; i < 20; i++) await authenticate(late);
    expect(state.reads).toBe(reads);
  });

  it('is not made by one key that is refused again and again', async () => {
    const { authenticate, clock, state } = withKeys({ maxPerMinute: 2 });
    const broken = newApiKey('live');
    state.answer = answerOf({ status: KeyStatus.REVOKED });
    for (let i = 0; i < 200; i++) {
      await expect(authenticate(broken)).rejects.toMatchObject(unauthorized);
      clock.advance(250);
    }
    // One look-up for as long as a refusal is remembered.
    expect(state.reads).toBe(10);
    state.answer = answerOf();
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
  });

  it('is not made by malformed keys, which are refused without a look-up there as everywhere', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, state } = given;
    for (let i = 0; i < 50; i++) await expect(authenticate(`svc_live_${i}`)).rejects.toMatchObject(unauthorized);
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
    await failTwice(given);
    const { reads } = state;
    for (let i = 0; i < 50; i++) await expect(authenticate(`svc_live_${i}`)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(reads);
    // Nor did they take the look-up of this second.
    await authenticate(newApiKey('live'));
  });

  it('takes its look-up of the second for neither a remembered refusal nor a key that is being read', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, state } = given;
    await failTwice(given);
    state.answer = answerOf({ status: KeyStatus.REVOKED });
    const broken = newApiKey('live');
    await expect(authenticate(broken, '203.0.113.10')).rejects.toMatchObject(unauthorized);
    for (let i = 0; i < 5; i++) await expect(authenticate(broken)).rejects.toMatchObject(unauthorized);
    state.answer = answerOf();
    const key = newApiKey('live');
    await Promise.all(Array.from({ length: 20 }, () => authenticate(key)));
  });

  it('still serves a familiar key, which is read again when its answer ends or changes, and refused when it is revoked', async () => {
    const given = withKeys({ maxPerMinute: 2 });
    const { authenticate, authenticateKey, clock, state } = given;
    const key = newApiKey('live');
    await authenticate(key);
    await failTwice(given);
    await authenticate(key);
    const { reads } = state;
    clock.advance(30_000);
    await authenticate(key);
    authenticateKey.forget({ planSlug: 'growth' });
    await authenticate(key);
    expect(state.reads).toBe(reads + 2);
    authenticateKey.forget({ keyId: 'key_1' });
    state.answer = answerOf({ status: KeyStatus.REVOKED });
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    expect(state.reads).toBe(reads + 3);
    // No longer familiar: the next look-up is the address's one of this second, the one after it waits.
    clock.advance(5_000);
    await expect(authenticate(key)).rejects.toMatchObject(unauthorized);
    await expect(authenticate(newApiKey('live'))).rejects.toMatchObject(rateLimited);
  });

  it('does not become one because keys cannot be reached, nor by keys that are valid', async () => {
    const { authenticate, state } = withKeys({ maxPerMinute: 2 });
    state.answer = internal;
    for (let i = 0; i < 5; i++)
      await expect(authenticate(newApiKey('live'))).rejects.toMatchObject({ code: 'internal' });
    state.answer = answerOf();
    for (let i = 0; i < 5; i++) await authenticate(newApiKey('live'));
  });
});
