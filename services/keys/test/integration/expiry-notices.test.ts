import { randomBytes } from 'node:crypto';
import { dayMs, hourMs, ManualClock, minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { connectMongo, createTransact, ensureCollections, type Mongo } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { KeyChange, KeyChanged, keyChanged } from '@shopscope/proto';
import { mongoOptions, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Key } from '../../src/domain/key.ts';
import { announceExpiringKeys } from '../../src/operations/announce-expiring-keys.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
import { createHarness, newKey, newWorkspace } from './harness.ts';

type AnnounceDependencies = Parameters<typeof announceExpiringKeys>[0];

const startMs = Date.UTC(2026, 0, 15, 12);
const eventsOf = async (db: Mongo['db']): Promise<KeyChanged[]> =>
  (await db.collection('outbox').find().sort({ sequence: 1 }).toArray())
    .map(({ value }) => keyChanged.decode(value.buffer))
    .filter(({ change }) => change === KeyChange.KEY_EXPIRING);

describe('notices of expiring keys', () => {
  const namespace = testNamespace('keys-notices');
  const clock = new ManualClock(startMs);
  let mongo: Mongo;
  let deps: AnnounceDependencies;

  beforeAll(async () => {
    mongo = await connectMongo(mongoOptions(namespace, 'keys'));
    await ensureCollections(mongo.db, collections);
    const outbox = createOutbox(mongo.db);
    deps = {
      clock,
      keys: createKeyStore(mongo.db),
      transact: createTransact(mongo),
      appendEvents(tx, meta, ...changes) {
        const events = changes.map((change) => ({ event: KeyChanged.fromPartial(change), meta }));
        return outbox.appendMany(tx.session, keyChanged, events);
      },
    };
  });
  beforeEach(async () => {
    clock.setWall(startMs);
    for (const name of ['keys', 'outbox']) await mongo.db.collection(name).deleteMany({});
  });
  afterAll(async () => {
    await mongo?.close();
    await namespace.cleanup();
  });

  const insert = async (over: Partial<Key> = {}): Promise<Key> => {
    const key: Key = {
      id: newId('key', startMs),
      workspaceId: 'ws_a',
      label: 'ci',
      prefix: 'svc_live_abcd',
      environment: 'live',
      scopes: [],
      preset: 'custom',
      createdAt: new Date(startMs),
      createdBy: 'usr_1',
      createdFrom: '',
      expiresAt: new Date(startMs + 30 * dayMs),
      revokedAt: null,
      revokedBy: '',
      lastUsedAt: null,
      use: 'api',
      ...over,
    };
    const mark = { fingerprint: randomBytes(32), pepperId: '1' };
    await deps.transact((tx) => deps.keys.insert(key, mark, tx));
    return key;
  };
  const announced = async () => (await eventsOf(mongo.db)).map(({ keyId, daysLeft }) => [keyId, daysLeft]);
  const passAt = async (ms: number) => {
    clock.setWall(ms);
    await announceExpiringKeys(deps);
    return announced();
  };

  it('a key has one notice 7 days and one 1 day before its expiry, however often the pass runs', async () => {
    const { id, expiresAt } = await insert();
    const expiresAtMs = Number(expiresAt);
    expect(await passAt(expiresAtMs - 7 * dayMs - 1)).toEqual([]);
    for (const days of [7, 6, 2]) expect(await passAt(expiresAtMs - days * dayMs)).toEqual([[id, 7]]);
    expect(await passAt(expiresAtMs - dayMs - 1)).toEqual([[id, 7]]);
    for (const hours of [24, 1, 0, -100]) {
      expect(await passAt(expiresAtMs - hours * hourMs)).toEqual([
        [id, 7],
        [id, 1],
      ]);
    }
    expect((await eventsOf(mongo.db))[0]).toEqual({
      change: KeyChange.KEY_EXPIRING,
      workspaceId: 'ws_a',
      keyId: id,
      planSlug: '',
      atMs: expiresAtMs - 7 * dayMs,
      expiresAtMs,
      daysLeft: 7,
    });
    const [row] = await mongo.db.collection('outbox').find().toArray();
    expect(row?.headers).toMatchObject({ environment: 'live' });
  });

  it('a key has no notice that was due before its creation, and none without an expiry or of the dashboard', async () => {
    const inDays = (days: number) => new Date(startMs + days * dayMs);
    const short = await insert({ expiresAt: inDays(2) });
    await insert({ expiresAt: inDays(1) });
    await insert({ expiresAt: null });
    await insert({ use: 'dashboard' });
    for (let hour = 0; hour < 31 * 24; hour += 12) await passAt(startMs + hour * hourMs);
    expect(await announced()).toEqual([[short.id, 1]]);
  });

  it('a revoked key has no notice', async () => {
    const { id, workspaceId } = await insert();
    const revocation = { at: new Date(startMs), by: 'usr_1' };
    await deps.transact((tx) => deps.keys.revoke({ workspaceId, id }, revocation, tx));
    expect(await passAt(startMs + 24 * dayMs)).toEqual([]);
  });

  it('a key of which two notices were missed has the later one, and an expired key has none', async () => {
    const { id } = await insert();
    await insert({ expiresAt: new Date(startMs + 20 * dayMs) });
    expect(await passAt(startMs + 29.5 * dayMs)).toEqual([[id, 1]]);
    expect(await passAt(startMs + 31 * dayMs)).toEqual([[id, 1]]);
  });

  it('a notice of the past is not repeated when the clock is set back', async () => {
    const { id } = await insert();
    await passAt(startMs + 24 * dayMs);
    await passAt(startMs);
    expect(await passAt(startMs + 24 * dayMs)).toEqual([[id, 7]]);
  });

  it('each of many keys has one notice when four instances announce them at the same time', async () => {
    for (let n = 0; n < 450; n++) await insert();
    clock.setWall(startMs + 24 * dayMs);
    const counts = await Promise.all([1, 2, 3, 4].map(() => announceExpiringKeys(deps)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(450);
    expect(new Set((await announced()).map(([id]) => id)).size).toBe(450);
    expect(await announced()).toHaveLength(450);
  });

  it.each(['before', 'after'] as const)(
    'a key has one notice, although the instance crashes %s any call of the database',
    async (when) => {
      class Crashed extends Error {}
      let calls = 0;
      for (let crashed = true; crashed; calls += 1) {
        clock.setWall(startMs);
        for (const name of ['keys', 'outbox']) await mongo.db.collection(name).deleteMany({});
        const { id } = await insert();
        clock.setWall(startMs + 24 * dayMs);
        let step = 0;
        const counted = async <T>(call: () => Promise<T>): Promise<T> => {
          step += 1;
          if (step > calls + 1 || (step === calls + 1 && when === 'before')) throw new Crashed();
          const result = await call();
          if (step === calls + 1) throw new Crashed();
          return result;
        };
        const crashing: AnnounceDependencies = {
          ...deps,
          keys: {
            ...deps.keys,
            listDueNotices: (...args) => counted(() => deps.keys.listDueNotices(...args)),
            setNextNotices: (...args) => counted(() => deps.keys.setNextNotices(...args)),
          },
          appendEvents: (...args) => counted(() => deps.appendEvents(...args)),
          // The commit is a call, too.
          transact: async (work, options) => {
            const result = await deps.transact(work, options);
            return counted(async () => result);
          },
        };
        crashed = await announceExpiringKeys(crashing).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Crashed) return true;
            throw error;
          },
        );
        await announceExpiringKeys(deps);
        expect(await announced()).toEqual([[id, 7]]);
      }
      expect(calls).toBe(5);
    },
  );

  it('the pass reads only keys with a due notice', async () => {
    for (let n = 0; n < 50; n++) await insert({ expiresAt: n % 2 ? null : new Date(startMs + 300 * dayMs) });
    const { id } = await insert();
    const plan = await mongo.db
      .collection('keys')
      .find({ nextNoticeAt: { $gt: new Date(0), $lte: new Date(startMs + 24 * dayMs) } })
      .sort({ nextNoticeAt: 1 })
      .explain('executionStats');
    expect(plan.executionStats).toMatchObject({ totalDocsExamined: 1, totalKeysExamined: 1 });
    expect(await passAt(startMs + 24 * dayMs)).toEqual([[id, 7]]);
  });
});

describe('keys', () => {
  it('the service announces a key that is about to expire, once in all of its instances', async () => {
    const clock = new ManualClock(startMs);
    const harness = await createHarness('keys-expiring', clock, { holdOutbox: true });
    try {
      const { client } = await harness.start();
      await harness.start();
      const workspaceId = await newWorkspace(client);
      const { id } = await newKey(client, workspaceId, { expiresAtMs: startMs + 7 * dayMs + minuteMs });
      const events = async () => (await eventsOf(harness.db)).map(({ keyId, daysLeft }) => [keyId, daysLeft]);
      const untilAnnounced = (count: number) =>
        waitUntil('the notice', async () => {
          clock.advance(minuteMs);
          return (await events()).length >= count;
        });
      await untilAnnounced(1);
      clock.setWall(startMs + 6 * dayMs + 2 * minuteMs);
      await untilAnnounced(2);
      expect(await events()).toEqual([
        [id, 7],
        [id, 1],
      ]);
    } finally {
      await harness.stop();
    }
  });
});
