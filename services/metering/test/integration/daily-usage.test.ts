import { createDeadline } from '@shopscope/async';
import { dayMs, hourMs } from '@shopscope/clock';
import {
  type DailyKeyUsage,
  type GetDailyUsageResponse,
  type KeyUsage,
  noUnits,
  type ReserveItem,
  type Units,
  UsageKind,
  type UsageRecorded,
  unitsOf,
} from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayName, dayStart } from '../../src/domain/day.ts';
import { add } from '../../src/domain/units.ts';
import { getDailyUsage } from '../../src/operations/get-daily-usage.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import {
  eventOf,
  itemOf,
  type Metering,
  type MeteringClient,
  newWorkspace,
  noon,
  origin,
  startMeterings,
} from './harness.ts';

const may = Date.UTC(2031, 4, 1);
const june = Date.UTC(2031, 5, 1);

/** Rows as text: day, key and look-ups. */
const rows = ({ days }: GetDailyUsageResponse) =>
  days.map(({ dayStartMs, keyId, used }) => `${dayName(dayStartMs)} ${keyId} ${used?.lookupCached}`);

const sumByKey = (list: readonly (KeyUsage | DailyKeyUsage)[]): Map<string, Units> => {
  const sums = new Map<string, Units>();
  for (const { keyId, used } of list) sums.set(keyId, add(sums.get(keyId) ?? noUnits, unitsOf(used)));
  return sums;
};

describe('GetDailyUsage', () => {
  let metering: Metering;
  let client: MeteringClient;
  let other: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('daily', { instances: 2, env: { RECONCILE_INTERVAL_MS: '3600000' } });
    [client, other] = metering.clients as [MeteringClient, MeteringClient];
  });
  beforeEach(() => metering.clock.setWall(noon));
  afterAll(() => metering?.stop());

  const reserve = async (items: ReserveItem[], occurredAtMs: number): Promise<UsageRecorded[]> => {
    const { results } = await client.reserve({ items });
    return items.map((item, n) => ({ ...eventOf(item, results[n] as never), occurredAtMs }));
  };
  /** Bills one charge whose response is created at `occurredAtMs`. */
  const bill = async (workspaceId: string, occurredAtMs: number, lookupCached = 1, keyId = 'key_a') => {
    const [event] = await reserve([itemOf(workspaceId, { keyId, units: { lookupCached } })], occurredAtMs);
    await client.recordUsage({ events: [event as UsageRecorded] });
    return event as UsageRecorded;
  };
  const voidOf = ({ chargeId, attempt, workspaceId, keyId }: UsageRecorded) =>
    client.voidCharge({ chargeId, attempt, workspaceId, keyId });
  const daily = (workspaceId: string, periodStartMs?: number) => client.getDailyUsage({ workspaceId, periodStartMs });
  /** The sums of all days and of the units without a day, by key, next to GetUsage. */
  const bothSums = async (workspaceId: string, periodStartMs = may) => {
    const { days, notRecorded } = await daily(workspaceId, periodStartMs);
    const { balance, keys } = await client.getUsage({ workspaceId, periodStartMs });
    const byDay = sumByKey([...days, ...notRecorded]);
    const used = new Map([...sumByKey(keys)].filter(([keyId]) => byDay.has(keyId)));
    const total = [...byDay.values()].reduce(add, noUnits);
    return { byDay, used, total, balance: unitsOf(balance?.used) };
  };
  const expectEqualToUsage = async (workspaceId: string, periodStartMs = may) => {
    const { byDay, used, total, balance } = await bothSums(workspaceId, periodStartMs);
    expect(byDay).toEqual(used);
    expect(total).toEqual(balance);
  };

  it('the daily usage has each unit in the UTC day of its response, the oldest day first, and within a day by key', async () => {
    const workspaceId = newWorkspace();
    await bill(workspaceId, noon, 4, 'key_b');
    await bill(workspaceId, dayStart('2031-05-15'), 1);
    await bill(workspaceId, dayStart('2031-05-15') - 1, 2);
    await bill(workspaceId, noon - 3 * dayMs, 8, 'key_b');
    await bill(newWorkspace(), noon, 16);
    const usage = await daily(workspaceId);
    expect(rows(usage)).toEqual([
      '2031-05-12 key_b 8',
      '2031-05-14 key_a 2',
      '2031-05-15 key_a 1',
      '2031-05-15 key_b 4',
    ]);
    expect(usage).toMatchObject({ periodStartMs: may, periodEndMs: june, notRecorded: [] });
    await expectEqualToUsage(workspaceId);
    expect(await daily(newWorkspace())).toMatchObject({ days: [], notRecorded: [] });
  });

  it('the daily usage reverses a counted attempt in the day in which it was counted, and leaves no empty day', async () => {
    const workspaceId = newWorkspace();
    const [first, second] = [await bill(workspaceId, noon, 3), await bill(workspaceId, noon, 5)];
    metering.clock.advance(2 * dayMs);
    await bill(workspaceId, metering.clock.now(), 7);
    await voidOf(first);
    expect(rows(await daily(workspaceId))).toEqual(['2031-05-15 key_a 5', '2031-05-17 key_a 7']);
    await voidOf(second);
    expect(rows(await daily(workspaceId))).toEqual(['2031-05-17 key_a 7']);
    await expectEqualToUsage(workspaceId);
    expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs: may }])).toBe(0);
  });

  it('the daily usage changes in the right days when a batch moves units from one day to another', async () => {
    const workspaceId = newWorkspace();
    const counted = await bill(workspaceId, noon - dayMs, 3);
    const [next] = (await reserve([itemOf(workspaceId, { units: { lookupCached: 3 } })], noon)) as [UsageRecorded];
    // Together the two events leave the total of the key as it is.
    await metering.publish([{ ...counted, kind: UsageKind.VOID }, next]);
    await metering.settle();
    expect(rows(await daily(workspaceId))).toEqual(['2031-05-15 key_a 3']);
    await expectEqualToUsage(workspaceId);
  });

  it('the daily usage lies in the period of the charge, whatever the time of the response is', async () => {
    const workspaceId = newWorkspace();
    metering.clock.setWall(june - 1);
    const last = await reserve([itemOf(workspaceId), itemOf(workspaceId)], june + 5_000);
    metering.clock.setWall(june);
    const first = await reserve([itemOf(workspaceId, { units: { lookupCached: 3 } })], june - 5_000);
    await client.recordUsage({ events: [...last, ...first] });
    expect(rows(await daily(workspaceId))).toEqual(['2031-06-01 key_a 3']);
    expect(rows(await daily(workspaceId, may))).toEqual(['2031-05-31 key_a 2']);
    await expectEqualToUsage(workspaceId, may);
    await expectEqualToUsage(workspaceId, june);
    const refused = { code: 'invalid_request', publicMessage: expect.stringMatching(/^period_start_ms/) };
    for (const start of [june + 1, Date.UTC(2031, 6, 1)]) {
      await expect(daily(workspaceId, start)).rejects.toMatchObject(refused);
    }
    await expect(daily('', may)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('the daily usage equals GetUsage to the unit after concurrent charges, voids and replays in two instances', async () => {
    const workspaceId = newWorkspace();
    const items = Array.from({ length: 240 }, (_, n) =>
      itemOf(workspaceId, { keyId: `key_${n % 4}`, units: { lookupCached: 1 + (n % 5), lookupLive: n % 3 } }),
    );
    const { results } = await client.reserve({ items });
    const events = items.map((item, n) => ({
      ...eventOf(item, results[n] as never),
      occurredAtMs: noon + (n % 9) * 5 * hourMs,
    }));
    const isVoided = (n: number) => n % 6 === 0;
    await Promise.all([
      metering.publish(events),
      metering.publish(events.slice(0, 120)),
      ...[client, other].map((instance) => instance.recordUsage({ events: events.slice(40) })),
      ...events.filter((_, n) => isVoided(n)).map(voidOf),
    ]);
    await metering.settle();
    await expectEqualToUsage(workspaceId);
    const expected = new Map<string, Units>();
    for (const [n, { keyId, units }] of events.entries()) {
      if (!isVoided(n)) expected.set(keyId, add(expected.get(keyId) ?? noUnits, unitsOf(units)));
    }
    const { byDay } = await bothSums(workspaceId);
    expect(byDay).toEqual(expected);
    expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs: may }])).toBe(0);
  });

  it('the daily usage is never behind an earlier and never ahead of a later GetUsage while charges are counted', async () => {
    const workspaceId = newWorkspace();
    const events = await reserve(
      Array.from({ length: 200 }, (_, n) => itemOf(workspaceId, { keyId: `key_${n % 2}` })),
      noon,
    );
    const totalOf = (list: readonly (KeyUsage | DailyKeyUsage)[]) =>
      list.reduce((sum, { used }) => sum + (used?.lookupCached ?? 0), 0);
    let isCounting = true;
    const counting = (async () => {
      for (let start = 0; start < events.length; start += 10) {
        await other.recordUsage({ events: events.slice(start, start + 10) });
      }
      isCounting = false;
    })();
    const seen: number[] = [];
    while (isCounting) {
      const before = totalOf((await client.getUsage({ workspaceId })).keys);
      const { days, notRecorded } = await daily(workspaceId);
      const after = totalOf((await client.getUsage({ workspaceId })).keys);
      expect(notRecorded).toEqual([]);
      expect(totalOf(days)).toBeGreaterThanOrEqual(before);
      expect(totalOf(days)).toBeLessThanOrEqual(after);
      seen.push(totalOf(days));
    }
    await counting;
    expect(seen.length).toBeGreaterThan(1);
    await expectEqualToUsage(workspaceId);
  });

  it('the daily usage has the same days when the events are replayed days later into a database that lost them', async () => {
    const workspaceId = newWorkspace();
    const events = [await bill(workspaceId, noon - dayMs, 2), await bill(workspaceId, noon, 3, 'key_b')];
    const before = await daily(workspaceId);
    for (const name of ['ledger', 'usage_counters', 'allowances', 'charges']) {
      await metering.db.collection(name).deleteMany({ workspaceId });
    }
    metering.clock.advance(5 * dayMs);
    await metering.publish(events);
    await metering.settle();
    expect(await daily(workspaceId)).toEqual(before);
    expect(rows(before)).toEqual(['2031-05-14 key_a 2', '2031-05-15 key_b 3']);
  });

  it('the daily usage has 31 days of 500 keys in one message, and reports further keys as not recorded', async () => {
    const workspaceId = newWorkspace();
    const keyCount = 501;
    const units = { lookupCached: 1_000_000, lookupLive: 100_000, historyQuery: 10_000, refreshRequested: 1_000 };
    const days = Object.fromEntries(
      Array.from({ length: 31 }, (_, n) => [dayName(may + n * dayMs), unitsOf(units)] as const),
    );
    const used = Object.fromEntries(Object.entries(units).map(([unit, amount]) => [unit, 31 * amount]));
    await metering.db.collection<{ _id: string }>('usage_counters').insertMany(
      Array.from({ length: keyCount }, (_, n) => {
        const keyId = `key_${String(n).padStart(26, '0')}`;
        const _id = `${workspaceId}/2031-05/${keyId}`;
        return { _id, workspaceId, periodStart: new Date(may), keyId, used, days, touchedAt: new Date(noon) };
      }),
    );
    const usage = await daily(workspaceId);
    expect(usage.days).toHaveLength(31 * (keyCount - 1));
    expect(usage.notRecorded).toEqual([{ keyId: `key_${'0'.repeat(26)}`, used }]);
  });

  it('GetDailyUsage is refused after the deadline of its call', async () => {
    const deadline = createDeadline(0, { clock: metering.clock });
    await expect(getDailyUsage(metering.deps, newWorkspace(), { origin, deadline })).rejects.toMatchObject({
      code: 'internal',
    });
  });
});
