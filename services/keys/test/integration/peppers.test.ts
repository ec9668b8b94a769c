import { ManualClock } from '@shopscope/clock';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeyMover } from '../../src/operations/move-key.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
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

const old = 'the-old-development-pepper-of-32-characters';
const fresh = 'the-new-development-pepper-of-32-characters';
/** The configuration at each step of a rotation. */
const unnamed = { KEY_PEPPER: old };
const known = { KEY_PEPPERS: `1:${old},2:${fresh}` };
const switched = { KEY_PEPPERS: `2:${fresh},1:${old}` };
const retired = { KEY_PEPPERS: `2:${fresh}` };

describe('rotation of peppers', () => {
  const clock = new ManualClock();
  let keys: KeysHarness;
  let workspaceId: string;

  beforeAll(async () => {
    keys = await createHarness('peppers', clock);
    workspaceId = await newWorkspace(await creatorWith(unnamed));
  });
  afterAll(() => keys?.stop());
  beforeEach(() => keys.db.collection('keys').deleteMany({}));

  /** Instances that create workspaces and keys, by their configuration. They run until the end of the file. */
  const creators = new Map<string, Promise<KeysClient>>();
  const creatorWith = (env: Record<string, string>): Promise<KeysClient> => {
    const name = JSON.stringify(env);
    const creator = creators.get(name) ?? keys.start(env).then(({ client }) => client);
    creators.set(name, creator);
    return creator;
  };
  const createWith = async (env: Record<string, string>) => newKey(await creatorWith(env), workspaceId);
  const statusWith = async (env: Record<string, string>, secret: string) => {
    const { client, stop } = await keys.start(env);
    const status = await statusOf(client, secret);
    // The service finishes running moves before it stops.
    await stop();
    return status;
  };
  const stored = (id: string) => keys.db.collection<{ _id: string; pepperId?: string }>('keys').findOne({ _id: id });
  const pepperOf = async (id: string) => (await stored(id))?.pepperId;

  it('a key under the old pepper works and moves to the current pepper when it is verified', async () => {
    const key = await createWith(unnamed);
    expect(await statusWith(switched, key.secret)).toBe(KeyStatus.ACTIVE);
    expect(await pepperOf(key.id)).toBe('2');
    expect(await statusWith(switched, key.secret)).toBe(KeyStatus.ACTIVE);
  });

  it('after the old pepper is removed, moved keys work and keys that nobody used are unknown', async () => {
    const moved = await createWith(unnamed);
    const unused = await createWith(unnamed);
    await statusWith(switched, moved.secret);
    expect(await statusWith(retired, moved.secret)).toBe(KeyStatus.ACTIVE);
    expect(await statusWith(retired, unused.secret)).toBe(KeyStatus.UNKNOWN);
    // A moved key does not verify under the leaked pepper alone.
    expect(await statusWith(unnamed, moved.secret)).toBe(KeyStatus.UNKNOWN);
    expect(await statusWith(unnamed, unused.secret)).toBe(KeyStatus.ACTIVE);
  });

  it('an instance does not start when a pepper id that is in use has another secret', async () => {
    await createWith(unnamed);
    for (const env of [{ KEY_PEPPERS: `1:${fresh},3:${old}` }, { KEY_PEPPER: fresh }])
      await expect(keys.start(env)).rejects.toThrow(/the secret of the pepper 1 is not the one/);
    await (await keys.start(switched)).stop();
  });

  it('new keys are stored under the old pepper until the order of the peppers is switched', async () => {
    const before = await createWith(known);
    const after = await createWith(switched);
    expect([await pepperOf(before.id), await pepperOf(after.id)]).toEqual(['1', '2']);
  });

  it('when the order of the peppers is switched back, every key works and moves back', async () => {
    const key = await createWith(switched);
    expect(await statusWith(known, key.secret)).toBe(KeyStatus.ACTIVE);
    expect(await pepperOf(key.id)).toBe('1');
    expect(await statusWith(unnamed, key.secret)).toBe(KeyStatus.ACTIVE);
  });

  it('instances before and after the switch of peppers recognise every key at the same time', async () => {
    const key = await createWith(unnamed);
    const [before, after] = await Promise.all([keys.start(known), keys.start(switched)]);
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        [before, after, before, after].map(({ client }) => client.verifyKey(digestOf(key.secret))),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(KeyStatus.ACTIVE));
    }
    await Promise.all([before.stop(), after.stop()]);
  });

  it('concurrent verifications move a key to the current pepper once', async () => {
    const key = await createWith(unnamed);
    const instances = await Promise.all([keys.start(switched), keys.start(switched)]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => instances[n % 2]?.client.verifyKey(digestOf(key.secret))),
    );
    expect(answers.every((answer) => answer?.status === KeyStatus.ACTIVE)).toBe(true);
    const moved = async (adminUrl: string | undefined) => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      return Number(/^keys_moved_to_current_pepper_total(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
    };
    await vi.waitFor(
      async () => {
        const counts = await Promise.all(instances.map(({ adminUrl }) => moved(adminUrl)));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
      },
      { timeout: 60_000 },
    );
    for (const instance of instances) await instance.stop();
    expect(await pepperOf(key.id)).toBe('2');
  });

  it('a revoked key does not move to the current pepper and is refused as before', async () => {
    const key = await createWith(unnamed);
    const { client, stop } = await keys.start(switched);
    await client.revokeKey({ workspaceId, keyId: key.id, actor, actorAddress: '' });
    expect((await client.verifyKey(digestOf(key.secret))).status).toBe(KeyStatus.REVOKED);
    await stop();
    expect(await pepperOf(key.id)).toBe('1');
  });

  it('a verification corrects the pepper id of a key whose pepper was configured under another id', async () => {
    const key = await createWith({ KEY_PEPPERS: `a:${old}` });
    expect(await statusWith({ KEY_PEPPERS: `b:${old}` }, key.secret)).toBe(KeyStatus.ACTIVE);
    expect(await pepperOf(key.id)).toBe('b');
  });

  it('ListPeppers counts the usable keys of each pepper, including peppers that are not configured', async () => {
    const first = await createWith(unnamed);
    await createWith(unnamed);
    const { client, stop } = await keys.start(switched);
    await newKey(client, workspaceId);
    await client.revokeKey({ workspaceId, keyId: first.id, actor, actorAddress: '' });
    const counts = async (of: KeysClient) => (await of.listPeppers({})).peppers.map((each) => Object.values(each));
    expect(await counts(client)).toEqual([
      ['2', 1, 1],
      ['1', 2, 1],
    ]);
    await stop();
    const without = await keys.start(retired);
    expect(await counts(without.client)).toEqual([
      ['2', 1, 1],
      ['1', 3, 1],
    ]);
    const metrics = await (await fetch(`${without.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^keys_usable\{.*pepper="1".*state="missing".*\} 1$/m);
    await without.stop();
  });

  it('when the database refuses to move a key to the current pepper, a later verification moves it', async () => {
    const key = await createWith(unnamed);
    const store = createKeyStore(keys.db);
    const warn = vi.fn();
    const failing = createKeyMover({
      keys: { move: () => Promise.reject(new Error('no primary')) },
      clock,
      logger: { warn } as never,
    });
    const { fingerprint } = (await stored(key.id)) as unknown as { fingerprint: { buffer: Uint8Array } };
    const from = Buffer.from(fingerprint.buffer);
    const to = { fingerprint: Buffer.alloc(32, 7), pepperId: '2' };
    for (let n = 0; n < 3; n++) {
      failing.move(key.id, from, to);
      await failing.idle();
    }
    expect(warn).toHaveBeenCalledTimes(1);
    expect(await pepperOf(key.id)).toBe('1');
    const mover = createKeyMover({ keys: store, clock, logger: { warn } as never });
    mover.move(key.id, from, to);
    await mover.idle();
    expect(await pepperOf(key.id)).toBe('2');
    expect(await store.move(key.id, from, to, 1_000)).toBe(false);
  });
});
