import { dayMs, ManualClock } from '@shopscope/clock';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyRetentionDays, latestExpiryMs } from '../../src/domain/key.ts';
import {
  actor,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  statusOf,
} from './harness.ts';

/** Each reading moves the wall clock by `perReadingMs`, as time passes on a slow system. */
class RunningClock extends ManualClock {
  perReadingMs = 0;

  override now(): number {
    const wallMs = super.now();
    this.setWall(wallMs + this.perReadingMs);
    return wallMs;
  }
}

describe('expiry of keys', () => {
  const startMs = Date.UTC(2026, 0, 15, 12);
  const expiresAtMs = startMs + 60_000;
  const clock = new RunningClock(startMs);
  let harness: KeysHarness;
  let client: KeysClient;
  let workspaceId: string;
  let key: { id: string; secret: string };

  beforeAll(async () => {
    harness = await createHarness('expiry', clock);
    client = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    clock.perReadingMs = 0;
    clock.setWall(startMs);
    workspaceId = await newWorkspace(client);
    key = await newKey(client, workspaceId, { expiresAtMs });
  });

  const statusAt = (wallMs: number) => {
    clock.setWall(wallMs);
    return statusOf(client, key.secret);
  };
  /** Status of the key wherever it is shown; absent where it is not listed. */
  const shownAt = async (wallMs: number) => {
    clock.setWall(wallMs);
    const listed = async (includeInactive: boolean) => {
      const { keys } = await client.listKeys({ workspaceId, includeInactive });
      return keys.find(({ id }) => id === key.id)?.status;
    };
    const shown = (await client.getKey({ workspaceId, keyId: key.id })).key;
    expect(shown?.expiresAtMs).toBe(expiresAtMs);
    return { get: shown?.status, active: await listed(false), all: await listed(true) };
  };

  it('a key is active until the millisecond before its expiry and refused from its expiry on', async () => {
    expect(await statusAt(expiresAtMs - 1)).toBe(KeyStatus.ACTIVE);
    for (const laterMs of [0, 1, 60_000, 10 * 365 * dayMs]) {
      clock.setWall(expiresAtMs + laterMs);
      const answer = await client.verifyKey(digestOf(key.secret));
      expect(answer).toEqual({ status: KeyStatus.EXPIRED, key: undefined, workspace: undefined, plan: undefined });
    }
  });

  it('GetKey and ListKeys show a key as active until the millisecond before its expiry, and as expired from then on', async () => {
    const active = { get: KeyStatus.ACTIVE, active: KeyStatus.ACTIVE, all: KeyStatus.ACTIVE };
    expect(await shownAt(expiresAtMs - 1)).toEqual(active);
    const expired = { get: KeyStatus.EXPIRED, active: undefined, all: KeyStatus.EXPIRED };
    expect(await shownAt(expiresAtMs)).toEqual(expired);
    expect(await shownAt(expiresAtMs + 1)).toEqual(expired);
  });

  it('ListPeppers counts a key as usable until the millisecond before its expiry', async () => {
    await harness.db.collection<{ _id: string }>('keys').deleteMany({ _id: { $ne: key.id } });
    const usableAt = async (wallMs: number) => {
      clock.setWall(wallMs);
      return (await client.listPeppers({})).peppers[0]?.usableKeys;
    };
    expect([await usableAt(expiresAtMs - 1), await usableAt(expiresAtMs)]).toEqual([1, 0]);
  });

  it('a key without an expiry never expires', async () => {
    key = await newKey(client, workspaceId);
    expect(await statusAt(latestExpiryMs)).toBe(KeyStatus.ACTIVE);
  });

  it.each([
    ['in the past', startMs - 1],
    ['at the present instant', startMs],
  ])('a key with an expiry %s is not created', async (_, at) => {
    await expect(newKey(client, workspaceId, { expiresAtMs: at })).rejects.toMatchObject({
      code: 'invalid_request',
      publicMessage: 'expires_at: must be in the future',
    });
    expect(await harness.db.collection('keys').countDocuments({ workspaceId })).toBe(1);
  });

  it('a key can expire a millisecond after its creation', async () => {
    key = await newKey(client, workspaceId, { expiresAtMs: startMs + 1 });
    expect([await statusAt(startMs), await statusAt(startMs + 1)]).toEqual([KeyStatus.ACTIVE, KeyStatus.EXPIRED]);
  });

  it('a revoked key stays revoked after its expiry', async () => {
    await client.revokeKey({ workspaceId, keyId: key.id, actor, actorAddress: '' });
    expect(await statusAt(expiresAtMs)).toBe(KeyStatus.REVOKED);
  });

  it('an expired key can be revoked and is revoked from then on', async () => {
    clock.setWall(expiresAtMs);
    await client.revokeKey({ workspaceId, keyId: key.id, actor, actorAddress: '' });
    expect(await statusAt(expiresAtMs)).toBe(KeyStatus.REVOKED);
  });

  it('an expired key of a suspended workspace is expired', async () => {
    await client.suspendWorkspace({ workspaceId, actor });
    expect([await statusAt(expiresAtMs - 1), await statusAt(expiresAtMs)]).toEqual([
      KeyStatus.SUSPENDED,
      KeyStatus.EXPIRED,
    ]);
  });

  it('when the wall clock is set back before the expiry, the key is active again', async () => {
    expect(await statusAt(expiresAtMs)).toBe(KeyStatus.EXPIRED);
    expect(await statusAt(expiresAtMs - 1)).toBe(KeyStatus.ACTIVE);
    expect(await statusAt(startMs - dayMs)).toBe(KeyStatus.ACTIVE);
  });

  it('when the wall clock is set back before the revocation, the key stays revoked', async () => {
    await client.revokeKey({ workspaceId, keyId: key.id, actor, actorAddress: '' });
    for (const backMs of [1, dayMs]) expect(await statusAt(startMs - backMs)).toBe(KeyStatus.REVOKED);
  });

  it('the database keeps an expiring key for its retention, also the key that expires last', async () => {
    const last = await newKey(client, workspaceId, { expiresAtMs: latestExpiryMs });
    const retentionMs = keyRetentionDays * dayMs;
    const keys = harness.db.collection<{ _id: string; forgetAt: Date }>('keys');
    expect((await keys.findOne({ _id: key.id }))?.forgetAt.getTime()).toBe(expiresAtMs + retentionMs);
    expect((await keys.findOne({ _id: last.id }))?.forgetAt.getTime()).toBe(latestExpiryMs + retentionMs);
    await client.revokeKey({ workspaceId, keyId: last.id, actor, actorAddress: '' });
    expect((await keys.findOne({ _id: last.id }))?.forgetAt.getTime()).toBe(startMs + retentionMs);
  });

  it('one answer shows the key at one instant, even when the key expires while the answer is made', async () => {
    clock.perReadingMs = 1;
    for (let beforeMs = 1; beforeMs <= 8; beforeMs++) {
      clock.setWall(expiresAtMs - beforeMs);
      const verified = await client.verifyKey(digestOf(key.secret));
      if (verified.status === KeyStatus.ACTIVE) expect(verified.key?.status).toBe(KeyStatus.ACTIVE);
      clock.setWall(expiresAtMs - beforeMs);
      const { keys } = await client.listKeys({ workspaceId, includeInactive: false });
      expect(keys.every(({ status }) => status === KeyStatus.ACTIVE)).toBe(true);
    }
  });
});
