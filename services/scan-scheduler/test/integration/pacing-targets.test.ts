import { dayMs, hourMs } from '@shopscope/clock';
import { connectMongo, ensureCollections } from '@shopscope/mongo';
import { mongoOptions, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reservation, slotOf } from '../../src/domain/pacing.ts';
import { createPacingTargetStore } from '../../src/outbound/mongo/pacing-targets.ts';
import { collections } from '../../src/outbound/mongo/stores.ts';

describe('schedules of pacing targets', () => {
  const namespace = testNamespace('scans-pacing-targets');
  let mongo: Awaited<ReturnType<typeof connectMongo>>;
  beforeAll(async () => {
    mongo = await connectMongo(mongoOptions(namespace, 'scan_scheduler'));
    await ensureCollections(mongo.db, collections);
  });
  afterAll(async () => {
    await mongo?.close();
    await namespace.cleanup();
  });
  const retentionMs = 100 * 365 * dayMs;
  const documents = () =>
    mongo.db.collection<{ _id: string; requests?: number }>('pacing_targets', { readConcern: { level: 'local' } });

  it('the schedules of pacing targets give the slots of the rules in domain/pacing.ts', async () => {
    const nowMs = 1_000_000;
    const store = createPacingTargetStore(mongo.db, { retentionMs, now: () => new Date(nowMs) });
    const reservations: Reservation[] = [
      { burstMs: 0, maxWaitMs: 100, costMs: 200, maxAheadMs: 300 },
      { burstMs: 1_000, maxWaitMs: 0, costMs: 0.5, maxAheadMs: 2_400 },
    ];
    for (const reservation of reservations) {
      for (const aheadMs of [undefined, -5_000, -500.25, 0, 0.5, 100, 100.5, 300, 300.5, 2_400, 2_401, hourMs]) {
        await documents().deleteMany({});
        const stored = aheadMs === undefined ? undefined : nowMs + aheadMs;
        if (stored !== undefined) await documents().insertOne({ _id: 'address:a', requests: stored });
        const slotMs = slotOf(stored, nowMs, reservation);
        expect(await store.reserve('address:a', 'requests', reservation)).toBe(
          slotMs === null ? null : Math.max(0, slotMs - nowMs),
        );
        const next = (await documents().findOne({ _id: 'address:a' }))?.requests;
        expect(next).toBe(slotMs === null ? stored : slotMs + reservation.costMs);
      }
    }
  });

  it('the schedules of pacing targets have the time of the database', async () => {
    await documents().deleteMany({});
    const store = createPacingTargetStore(mongo.db, { retentionMs });
    const reservation = { burstMs: 0, maxWaitMs: 100_000, costMs: 50_000, maxAheadMs: 150_000 };
    expect(await store.reserve('address:a', 'visits', reservation)).toBe(0);
    const waitMs = await store.reserve('address:a', 'visits', reservation);
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(50_000);
    expect((await store.findTurns(['address:a', 'address:b'])).get('address:a')?.waitMs).toBeGreaterThan(80_000);
  });
});
