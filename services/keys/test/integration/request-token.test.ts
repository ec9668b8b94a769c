import { ManualClock } from '@shopscope/clock';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestTokenLifeMs } from '../../src/domain/key-request.ts';
import {
  by,
  createHarness,
  type KeysClient,
  type KeysHarness,
  newWorkspace,
  type RequestOf,
  statusOf,
} from './harness.ts';

/** In the far future, so that MongoDB itself deletes no document of this test. */
const startMs = Date.UTC(2031, 4, 15, 12);

describe('request tokens of CreateKey', () => {
  const clock = new ManualClock(startMs);
  let harness: KeysHarness;
  let clients: [KeysClient, KeysClient];
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('request-token', clock, { holdOutbox: true });
    clients = [(await harness.start()).client, (await harness.start()).client];
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(clients[0]);
  });

  const token = 'form-0123456789-ABC_xyz';
  const create = (over: Partial<RequestOf<'createKey'>> = {}, client = clients[0]) =>
    client.createKey({
      workspaceId,
      label: 'ci',
      preset: 'read_only',
      scopes: [],
      expiresAtMs: undefined,
      requestToken: token,
      ...by,
      ...over,
    });
  const count = (of: string, filter: object = { workspaceId }) => harness.db.collection(of).countDocuments(filter);

  it('concurrent calls of CreateKey with one request token create one key, whose secret one of them gets', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => create({}, clients[n % 2])));
    expect(new Set(answers.map(({ key }) => key?.id)).size).toBe(1);
    const secrets = answers.map(({ secret }) => secret).filter((secret) => secret !== '');
    expect(secrets).toHaveLength(1);
    expect(await statusOf(clients[1], secrets[0] ?? '')).toBe(KeyStatus.ACTIVE);
    expect(await count('keys')).toBe(1);
    expect(await count('audit_entries', { workspaceId, action: 'key.created' })).toBe(1);
    expect(await count('outbox', { key: workspaceId })).toBe(1);
  });

  it('a repeated CreateKey returns the first key without its secret, even after a revocation or its expiry', async () => {
    const first = await create({ expiresAtMs: clock.now() + 60_000 });
    const repeat = () => create({ expiresAtMs: first.key?.expiresAtMs, actorAddress: '192.0.2.9' });
    expect(await repeat()).toEqual({ key: first.key, secret: '' });
    clock.advance(60_000);
    expect(await repeat()).toEqual({ key: { ...first.key, status: KeyStatus.EXPIRED }, secret: '' });
    await clients[1].revokeKey({ workspaceId, keyId: first.key?.id ?? '', ...by });
    expect(await repeat()).toMatchObject({ key: { id: first.key?.id, status: KeyStatus.REVOKED }, secret: '' });
    expect(await count('keys')).toBe(1);
  });

  it.each<[string, Partial<RequestOf<'createKey'>>]>([
    ['label', { label: 'other' }],
    ['preset', { preset: 'full' }],
    ['list of scopes', { preset: '', scopes: ['read:stores'] }],
    ['expiry', { expiresAtMs: startMs * 2 }],
    ['actor', { actor: 'usr_other' }],
  ])('CreateKey refuses a request token that was used with another %s as a conflict', async (_, over) => {
    await create();
    await expect(create(over)).rejects.toMatchObject({ code: 'conflict', publicMessage: /request token/ });
    expect(await count('keys')).toBe(1);
  });

  it('a request token of CreateKey belongs to one workspace', async () => {
    const other = await newWorkspace(clients[0]);
    const [here, there] = [await create(), await create({ workspaceId: other })];
    expect(there.secret).not.toBe('');
    expect(there.key?.id).not.toBe(here.key?.id);
  });

  it('a request token of CreateKey can be used again after 24 hours', async () => {
    const first = await create();
    clock.advance(requestTokenLifeMs - 1);
    expect(await create()).toMatchObject({ key: { id: first.key?.id }, secret: '' });
    clock.advance(1);
    const second = await create({ label: 'another' });
    expect(second.secret).not.toBe('');
    expect(second.key?.id).not.toBe(first.key?.id);
    expect(await create({ label: 'another' })).toMatchObject({ key: { id: second.key?.id }, secret: '' });
    const [stored] = await harness.db.collection('key_requests').find({ keyId: second.key?.id }).toArray();
    expect(stored?.expiresAt).toEqual(new Date(clock.now() + requestTokenLifeMs));
    // MongoDB deletes a document at the time of this member.
    const indexes = await harness.db.collection('key_requests').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });

  it('a request token of CreateKey stays unused when the call that had it failed', async () => {
    await expect(create({ label: '' })).rejects.toMatchObject({ code: 'invalid_request' });
    await harness.db.command({ collMod: 'outbox', validator: { _id: { $exists: false } } });
    await expect(create()).rejects.toMatchObject({ code: 'internal' });
    await harness.db.command({ collMod: 'outbox', validator: {} });
    expect((await create()).secret).not.toBe('');
    expect(await count('keys')).toBe(1);
  });

  it.each(['0123456789abcdef', `${'aZ09_-'.repeat(10)}abcd`])(
    'a request token of CreateKey may be %s',
    async (requestToken) => {
      const first = await create({ requestToken });
      expect(await create({ requestToken })).toEqual({ key: first.key, secret: '' });
    },
  );

  it('CreateKey needs no request token: calls without one create a key each', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ requestToken: '' })));
    expect(new Set(answers.map(({ key }) => key?.id)).size).toBe(3);
    expect(answers.every(({ secret }) => secret !== '')).toBe(true);
  });
});
