import { randomBytes } from 'node:crypto';
import { ManualClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actor, createHarness, type KeysClient, type KeysHarness, newKey, newWorkspace } from './harness.ts';

describe('limit of keys', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let other: KeysClient;
  let workspaceId: string;
  /** Id of the first key of the workspace. */
  let first: string;

  beforeAll(async () => {
    harness = await createHarness('key-limit', clock, { holdOutbox: true });
    client = (await harness.start()).client;
    other = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(client);
    first = (await newKey(client, workspaceId, { expiresAtMs: clock.now() + 60_000 })).id;
  });

  const keys = () => harness.db.collection<{ _id: string }>('keys');
  /** Copies the first key until the workspace has `total` keys. */
  const fillTo = async (total: number) => {
    const template = await keys().findOne({ _id: first });
    const copy = () => ({ ...template, _id: newId('key', clock.now()), fingerprint: randomBytes(32) });
    await keys().insertMany(Array.from({ length: total - 1 }, copy));
  };
  const unrevoked = () => keys().countDocuments({ workspaceId, revokedAt: null });
  const tooMany = { code: 'conflict', publicMessage: 'A workspace has at most 500 keys; revoke one first.' };
  /** Creates keys through both instances at the same time; resolves with the number of created keys. */
  const createMany = async (count: number) => {
    const attempts = Array.from({ length: count }, (_, n) => newKey(n % 2 ? client : other, workspaceId));
    const outcomes = await Promise.allSettled(attempts);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(tooMany);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };

  it('the 500th key of a workspace is created, and the 501st is refused without a trace', async () => {
    await fillTo(499);
    await newKey(client, workspaceId);
    const audited = () => harness.db.collection('audit_entries').countDocuments();
    const announced = () => harness.db.collection('outbox').countDocuments();
    const before = [await audited(), await announced()];
    await expect(newKey(client, workspaceId)).rejects.toMatchObject(tooMany);
    expect(await unrevoked()).toBe(500);
    expect([await audited(), await announced()]).toEqual(before);
  });

  it('a revocation makes room for one key in a full workspace', async () => {
    await fillTo(500);
    await client.revokeKey({ workspaceId, keyId: first, actor, actorAddress: '' });
    await newKey(client, workspaceId);
    await expect(newKey(client, workspaceId)).rejects.toMatchObject(tooMany);
    expect(await unrevoked()).toBe(500);
  });

  it('an expired key counts toward the limit of keys until it is revoked', async () => {
    await fillTo(500);
    clock.advance(60_000);
    await expect(newKey(client, workspaceId)).rejects.toMatchObject(tooMany);
    await client.revokeKey({ workspaceId, keyId: first, actor, actorAddress: '' });
    await newKey(client, workspaceId);
    expect(await unrevoked()).toBe(500);
  });

  it('a full workspace does not limit another workspace', async () => {
    await fillTo(500);
    const other = await newWorkspace(client);
    expect((await newKey(client, other)).id).toMatch(/^key_/);
  });

  it('concurrent calls through several instances never exceed the limit of keys', async () => {
    await fillTo(497);
    expect(await createMany(12)).toBe(3);
    expect(await unrevoked()).toBe(500);
  });

  it('many concurrent calls of CreateKey below the limit of keys all succeed within their deadline', async () => {
    expect(await createMany(80)).toBe(80);
    expect(await unrevoked()).toBe(81);
  });

  it('concurrent calls of CreateKey share the room that concurrent revocations make', async () => {
    await fillTo(500);
    const revoked = keys().find({ workspaceId }).limit(3).toArray();
    const revocations = (await revoked).map(({ _id }) =>
      other.revokeKey({ workspaceId, keyId: _id, actor, actorAddress: '' }),
    );
    const [created] = await Promise.all([createMany(8), ...revocations]);
    expect(created).toBeLessThanOrEqual(3);
    expect(await unrevoked()).toBe(497 + created);
    expect(await createMany(4)).toBe(3 - created);
  });
});
