import { randomUUID } from 'node:crypto';
import { createDeadline } from '@shopscope/async';
import { dayMs, type ManualClock, minuteMs } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import type { AfterReading } from '../../src/operations/after-reading.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { createSweeper } from '../../src/operations/sweep.ts';
import {
  eventOf,
  itemOf,
  type Metering,
  type MeteringClient,
  newWorkspace,
  origin,
  startMeterings,
} from './harness.ts';

const context = {
  origin,
  get deadline() {
    return createDeadline(5_000);
  },
};
const expiryMs = 60_000;

describe('sweeper', () => {
  let metering: Metering;
  let sweeper: AfterReading;

  beforeAll(async () => {
    // No instance runs: no event is consumed until a test starts an instance.
    metering = await startMeterings('sweep', { instances: 0 });
  });
  beforeEach(() => {
    sweeper = createSweeper(metering.deps, metering.positions);
  });
  afterAll(() => metering?.stop());

  const reserveOne = async (item: ReturnType<typeof itemOf>) => {
    const [reserved] = await reserve(metering.deps, [reserveItem(item)], createDeadline(5_000));
    return eventOf(item, reserved as never);
  };
  const balanceOf = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, context);
    return [balance.used.lookupCached, balance.reserved.lookupCached];
  };

  it('the sweeper returns nothing while Kafka does not respond, or before the expiry', async () => {
    const workspaceId = newWorkspace();
    await reserveOne(itemOf(workspaceId));
    expect(await sweeper.tick()).toBe(0);
    metering.clock.advance(expiryMs);
    const unreachable = () => Promise.reject(new Error('no broker'));
    const blind = createSweeper(metering.deps, { ends: unreachable, consumed: unreachable });
    await expect(blind.tick()).rejects.toThrow('no broker');
    expect(await balanceOf(workspaceId)).toEqual([0, 1]);
  });

  it('the sweeper no longer reports itself as blocked after another instance has swept the reservation', async () => {
    await reserveOne(itemOf(newWorkspace()));
    metering.clock.advance(expiryMs);
    const unreachable = () => Promise.reject(new Error('no broker'));
    const blind = createSweeper(metering.deps, { ends: unreachable, consumed: unreachable });
    const blocked = async () => (await metering.deps.metrics.sweepBlocked.get()).values[0]?.value;
    await expect(blind.tick()).rejects.toThrow('no broker');
    expect(await blocked()).toBe(1);
    await metering.db.collection('charges').updateMany({}, { $unset: { sweepAt: true } });
    expect(await blind.tick()).toBe(0);
    expect(await blocked()).toBe(0);
  });

  it('the sweeper returns a reservation whose event may be durable and unread only after the topic is consumed', async () => {
    const workspaceId = newWorkspace();
    const billed = await reserveOne(itemOf(workspaceId));
    await reserveOne(itemOf(workspaceId, { units: { lookupCached: 4 } }));
    await metering.publish([billed]);
    metering.clock.advance(expiryMs);
    expect(await sweeper.tick()).toBe(0);
    expect(await sweeper.tick()).toBe(0);
    expect(await balanceOf(workspaceId)).toEqual([0, 5]);

    await metering.startInstance();
    await metering.settle();
    expect(await balanceOf(workspaceId)).toEqual([1, 4]);
    // The instance's own sweeper would interfere with the one under test.
    await metering.services.pop()?.stop();
    await sweeper.tick();
    await sweeper.tick();
    expect(await balanceOf(workspaceId)).toEqual([1, 0]);
    expect(await metering.db.collection('charges').countDocuments({ sweepAt: { $exists: true } })).toBe(0);
  });

  it('the sweeper reads the ends of the topic after the expiry, not before it', async () => {
    const workspaceId = newWorkspace();
    const calls: string[] = [];
    const watched = createSweeper(metering.deps, {
      ends: async () => {
        calls.push('ends');
        return metering.positions.ends();
      },
      consumed: async () => {
        calls.push('consumed');
        // At the first call the ledger is behind.
        return calls.length === 2 ? new Map() : metering.positions.consumed();
      },
    });
    await reserveOne(itemOf(workspaceId));
    metering.clock.advance(expiryMs);
    expect(await watched.tick()).toBe(0);
    // This reservation expires after the ends were read, so the current sweep does not include it.
    await reserveOne(itemOf(workspaceId, { units: { lookupCached: 2 } }));
    metering.clock.advance(expiryMs);
    expect(await watched.tick()).toBe(1);
    expect(await balanceOf(workspaceId)).toEqual([0, 2]);
    expect(await watched.tick()).toBe(1);
    expect(calls).toEqual(['ends', 'consumed', 'consumed', 'ends', 'consumed']);
    expect(await balanceOf(workspaceId)).toEqual([0, 0]);
  });

  it('the sweeper returns nothing that has not expired by a clock that was set back, although the ends of the topic were read before', async () => {
    const workspaceId = newWorkspace();
    const nowMs = metering.clock.now();
    let isBehind = true;
    const watched = createSweeper(metering.deps, {
      ends: () => metering.positions.ends(),
      consumed: async () => (isBehind ? new Map() : metering.positions.consumed()),
    });
    await reserveOne(itemOf(workspaceId));
    metering.clock.advance(expiryMs);
    expect(await watched.tick()).toBe(0);

    metering.clock.setWall(nowMs - 7 * dayMs);
    await reserveOne(itemOf(workspaceId, { units: { lookupCached: 2 } }));
    isBehind = false;
    expect(await watched.tick()).toBe(0);
    expect(await balanceOf(workspaceId)).toEqual([0, 3]);
    metering.clock.setWall(nowMs + expiryMs);
    expect(await watched.tick()).toBe(2);
    expect(await balanceOf(workspaceId)).toEqual([0, 0]);
  });

  it('sweepers that run in two instances at the same time return each reservation once', async () => {
    const workspaceId = newWorkspace();
    for (let n = 0; n < 30; n++) await reserveOne(itemOf(workspaceId));
    metering.clock.advance(expiryMs);
    const other = createSweeper(metering.deps, metering.positions);
    await Promise.all([sweeper.tick(), other.tick()]);
    await Promise.all([sweeper.tick(), other.tick()]);
    expect(await balanceOf(workspaceId)).toEqual([0, 0]);
    const allowance = await metering.db.collection('allowances').findOne({ workspaceId });
    expect(unitsOf(allowance?.taken)).toEqual(unitsOf({}));
  });

  it('the sweeper never causes overselling: a late event counts only while the allowance holds its units', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupCached: 2 };
    const [counted, refused] = [
      await reserveOne(itemOf(workspaceId, { included })),
      await reserveOne(itemOf(workspaceId, { included })),
    ] as const;
    metering.clock.advance(expiryMs);
    await sweeper.tick();
    expect(await balanceOf(workspaceId)).toEqual([0, 0]);
    await reserveOne(itemOf(workspaceId, { included }));
    await recordUsage(metering.deps, [counted, refused, counted].map(usageEvent), createDeadline(5_000));
    expect(await balanceOf(workspaceId)).toEqual([1, 1]);
  });

  it('an event whose charge record is lost is counted once without the sweeper, with the units of the event', async () => {
    const workspaceId = newWorkspace();
    const lost = eventOf(itemOf(workspaceId, { chargeId: `chg_${randomUUID()}`, units: { lookupCached: 3 } }), {
      attempt: 1,
      periodStartMs: Date.UTC(2031, 4, 1),
    });
    for (let n = 0; n < 2; n++) await recordUsage(metering.deps, [lost, lost].map(usageEvent), createDeadline(5_000));
    expect(await balanceOf(workspaceId)).toEqual([3, 0]);
    const retry = await reserve(
      metering.deps,
      [reserveItem(itemOf(workspaceId, { chargeId: lost.chargeId }))],
      createDeadline(5_000),
    );
    expect(retry[0]).toMatchObject({ outcome: 'already_settled', units: unitsOf({ lookupCached: 3 }) });
  });
});

describe('stop of a metering instance', () => {
  it('a stop between Reserve and the event loses no units: another instance counts published events and returns the rest', async () => {
    const metering = await startMeterings('crash', { env: { SWEEP_INTERVAL_MS: '1000' } });
    try {
      const workspaceId = newWorkspace();
      const items = [itemOf(workspaceId), itemOf(workspaceId, { units: { lookupCached: 6 } })];
      const { results } = await (metering.clients[0] as MeteringClient).reserve({ items });
      await metering.services.shift()?.stop();
      await metering.publish([eventOf(items[0] as never, results[0] as never)]);
      const pauses = countPauses(metering.clock);
      await metering.startInstance();
      await metering.settle();
      expect(await balanceNow(metering, workspaceId)).toEqual([1, 6]);
      metering.clock.advance(expiryMs);
      // The instance's own sweeper returns it, at most 10 minutes after the reservation.
      let passedMs = expiryMs;
      const isReturned = async () => (await balanceNow(metering, workspaceId))[1] === 0;
      await waitUntil('the units to be returned', async () => {
        if (await isReturned()) return true;
        // Time passes only after the loops have done the work that was due.
        if (pauses.count < loopsOfInterval) return false;
        metering.clock.advance(1_100);
        passedMs += 1_100;
        return false;
      });
      expect(await balanceNow(metering, workspaceId)).toEqual([1, 0]);
      expect(passedMs).toBeLessThan(10 * minuteMs);
    } finally {
      await metering.stop();
    }
  });

  /** The number of loops with SWEEP_INTERVAL_MS: sweep, close leases and settle refunds. */
  const loopsOfInterval = 3;
  /** Counts the loops that pause for about a second, from now on. */
  const countPauses = (clock: ManualClock) => {
    const pauses = { count: 0 };
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, abort) => {
      const step = ms >= 900 && ms <= 1_100 ? 1 : 0;
      pauses.count += step;
      await sleep(ms, abort).finally(() => (pauses.count -= step));
    };
    return pauses;
  };
  const balanceNow = async (metering: Metering, workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, context);
    return [balance.used.lookupCached, balance.reserved.lookupCached];
  };
});
