import { dayMs, ManualClock } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  actor,
  by,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
} from './harness.ts';

describe('records of a key', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('recorded', clock, { holdOutbox: true });
    client = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(client);
  });

  /** The key as GetKey, ListKeys and, while it is active, VerifyKey show it. */
  const shown = async ({ id, secret }: { id: string; secret: string }) => {
    const { key } = await client.getKey({ workspaceId, keyId: id });
    const { keys } = await client.listKeys({ workspaceId, includeInactive: true });
    expect(keys.find((each) => each.id === id)).toEqual(key);
    const verified = await client.verifyKey(digestOf(secret));
    if (verified.key) expect(verified.key).toEqual(key);
    return key;
  };

  it.each(['read_only', 'read_and_watch', 'full', 'partner'])('a key shows its preset %s', async (preset) => {
    expect(await shown(await newKey(client, workspaceId, { preset }))).toMatchObject({ preset });
  });

  it('a key of listed scopes shows the preset custom, even when a preset has the same scopes', async () => {
    const key = await newKey(client, workspaceId, { preset: '', scopes: ['read:stores'] });
    expect(await shown(key)).toMatchObject({ preset: 'custom', scopes: ['read:stores'] });
  });

  it.each(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '0000:0000:0000:0000:0000:ffff:192.168.100.200', ''])(
    'a key shows the address "%s" of its creator',
    async (actorAddress) => {
      expect(await shown(await newKey(client, workspaceId, { actorAddress }))).toMatchObject({
        createdFrom: actorAddress,
        createdBy: actor,
      });
    },
  );

  it('a key shows who revoked it first', async () => {
    const key = await newKey(client, workspaceId);
    expect(await shown(key)).toMatchObject({ revokedBy: '' });
    for (const name of ['usr_first', 'usr_second']) {
      await client.revokeKey({ workspaceId, keyId: key.id, ...by, actor: name });
    }
    expect(await shown(key)).toMatchObject({ revokedBy: 'usr_first', revokedAtMs: clock.now() });
  });

  it('the first key of a workspace shows the preset that SetUpWorkspace named', async () => {
    const request = { name: 'Set up', planSlug: 'free', label: 'first', preset: 'partner', scopes: [], actor };
    const { key } = await client.setUpWorkspace(request);
    expect(key).toMatchObject({ preset: 'partner', createdFrom: '' });
  });

  it('ListKeys shows every key that was revoked in the last 30 days with its time, the latest revocation first', async () => {
    const revoked: string[] = [];
    for (let n = 0; n < 30; n++) {
      const { id } = await newKey(client, workspaceId);
      await client.revokeKey({ workspaceId, keyId: id, ...by });
      revoked.unshift(id);
      clock.advance(dayMs);
    }
    const { id: active } = await newKey(client, workspaceId);
    const { keys } = await client.listKeys({ workspaceId, includeInactive: true });
    expect(keys.map(({ id }) => id)).toEqual([active, ...revoked]);
    expect(keys.slice(1).map(({ revokedAtMs }) => revokedAtMs)).toEqual(
      revoked.map((_, n) => clock.now() - (n + 1) * dayMs),
    );
  });
});
