import { dayMs, periodAt } from '@shopscope/clock';
import { ReserveOutcome, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayName } from '../../src/domain/day.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, noon, startMeterings } from './harness.ts';

const put = async (adminUrl: string, body: unknown) => {
  const response = await fetch(`${adminUrl}/development/clock`, { method: 'PUT', body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('development clock', () => {
  let metering: Metering;
  let client: MeteringClient;
  let adminUrl: string;

  beforeAll(async () => {
    const env = { DEVELOPMENT_CLOCK: 'true', SWEEP_INTERVAL_MS: '5000', RECONCILE_INTERVAL_MS: '10000' };
    metering = await startMeterings('clock', { env });
    client = metering.clients[0] as MeteringClient;
    adminUrl = metering.services[0]?.adminUrl ?? '';
  });
  afterAll(() => metering?.stop());

  const move = async (offsetMs: number) =>
    expect(await put(adminUrl, { offset_ms: offsetMs })).toMatchObject({ status: 200 });
  /** Reserves as a gateway at the given time of metering; resolves to the usage event. */
  const reserve = async (workspaceId: string, lookupCached: number, nowMs: number) => {
    const item = itemOf(workspaceId, { units: { lookupCached } });
    const { results } = await client.reserve({ items: [item] });
    expect(results[0]?.outcome).toBe(ReserveOutcome.GRANTED);
    return { ...eventOf(item, results[0] as never), occurredAtMs: nowMs };
  };
  const sampleOf = async (name: string) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))];
    return samples.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  /** Lets the sweeper and the reconciler of the instance run. */
  const runLoops = async () => {
    const compared = await sampleOf('metering_reconciled_total');
    await expect
      .poll(async () => {
        metering.clock.advance(6_000);
        return sampleOf('metering_reconciled_total');
      })
      .toBeGreaterThan(compared);
  };

  it('the development clock accepts only an instant or an offset of at most 28 days', async () => {
    const yesterday = metering.clock.now() - dayMs;
    expect(await put(adminUrl, { now_ms: yesterday })).toEqual({
      status: 200,
      body: { now_ms: yesterday, offset_ms: -dayMs },
    });
    const wrong = [{}, [], null, 'now', { now_ms: '1' }, { offset_ms: 0.5 }, { offset_ms: 0, now_ms: noon }, { at: 1 }];
    for (const body of [...wrong, { offset_ms: -29 * dayMs }, { now_ms: 0 }]) {
      expect(await put(adminUrl, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
    expect(await put(adminUrl, { offset_ms: 0 })).toMatchObject({ status: 200, body: { now_ms: noon } });
  });

  it('the development clock decides the period and the future of a request', async () => {
    const workspaceId = newWorkspace();
    await move(-20 * dayMs);
    const april = periodAt(noon - 20 * dayMs).startMs;
    await client.recordUsage({ events: [await reserve(workspaceId, 3, noon - 20 * dayMs)] });
    const { balance } = await client.getUsage({ workspaceId });
    expect(balance).toMatchObject({ periodStartMs: april, used: unitsOf({ lookupCached: 3 }) });
    const periodStartMs = periodAt(noon).startMs;
    await expect(client.getUsage({ workspaceId, periodStartMs })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await move(0);
    const now = await client.getUsage({ workspaceId });
    expect(now.balance).toMatchObject({ periodStartMs, used: unitsOf({}) });
    const earlier = await client.getUsage({ workspaceId, periodStartMs: april });
    expect(earlier.balance?.used).toEqual(unitsOf({ lookupCached: 3 }));
  });

  it('the development clock can move back and forth while sweeper and reconciler run, and the ledger verifies', async () => {
    const workspaceId = newWorkspace();
    const held = await reserve(workspaceId, 100, metering.clock.now());
    const periods = new Set<number>();
    const expected: string[] = [];
    let total = 0;
    for (const daysAgo of [18, 2, 9, 14, 1]) {
      await move(-daysAgo * dayMs);
      const nowMs = metering.clock.now() - daysAgo * dayMs;
      const event = await reserve(workspaceId, daysAgo, nowMs);
      await runLoops();
      await client.recordUsage({ events: [event] });
      await runLoops();
      periods.add(event.periodStartMs);
      expected.push(`${dayName(nowMs)} ${daysAgo}`);
      total += daysAgo;
    }
    await move(0);
    await client.recordUsage({ events: [held] });
    await runLoops();

    periods.add(held.periodStartMs);
    expect(periods.size).toBe(2);
    const days: string[] = [];
    let used = 0;
    for (const periodStartMs of periods) {
      expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs }])).toBe(0);
      const usage = await client.getUsage({ workspaceId, periodStartMs });
      expect(usage.balance?.reserved).toEqual(unitsOf({}));
      used += usage.balance?.used?.lookupCached ?? 0;
      const daily = await client.getDailyUsage({ workspaceId, periodStartMs });
      days.push(...daily.days.map((row) => `${dayName(row.dayStartMs)} ${row.used?.lookupCached}`));
    }
    expect(used).toBe(total + 100);
    expect(days.toSorted()).toEqual([...expected, `${dayName(noon)} 100`].toSorted());
    expect(await sampleOf('metering_reconcile_repairs_total')).toBe(0);
  });

  it('the development clock does not exist without its setting', async () => {
    const plain = await startMeterings('no-clock');
    try {
      const url = plain.services[0]?.adminUrl ?? '';
      expect(await put(url, { offset_ms: 0 })).toEqual({ status: 404, body: { error: 'not found' } });
    } finally {
      await plain.stop();
    }
  });
});
