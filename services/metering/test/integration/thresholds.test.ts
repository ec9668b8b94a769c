import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import { allowanceThresholdReached, type Units, type UsageRecorded, unitNames, unitsOf } from '@shopscope/proto';
import { nightlyUnless, runsOf, startKafkaHarness } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageEvent } from '../../src/domain/fold.ts';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { recordRefunds } from '../../src/operations/settle-refunds.ts';
import { Crashed, type CrashPoint, crashingAt } from './crashing.ts';
import {
  commandsDuring,
  currentPeriodMs,
  eventOf,
  itemOf,
  type Metering,
  newWorkspace,
  startMeterings,
} from './harness.ts';

const deadline = () => createDeadline(10_000);

describe('thresholds of an allowance', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('thresholds', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  /** Reserves units and returns the event that counts them. */
  const reserved = async (
    workspaceId: string,
    units: Partial<Units>,
    included: Partial<Units>,
  ): Promise<UsageEvent> => {
    const item = itemOf(workspaceId, { units, included, executionId: newId('exe', metering.clock.now()) });
    const [result] = await reserve(metering.deps, [reserveItem(item)], deadline());
    if (!result || !('attempt' in result)) throw new Error('the units were not granted');
    return usageEvent(eventOf(item, result));
  };
  const record = (events: UsageEvent[], deps: Dependencies = metering.deps) => recordUsage(deps, events, deadline());
  const use = async (workspaceId: string, units: Partial<Units>, included: Partial<Units>) => {
    const event = await reserved(workspaceId, units, included);
    await record([event]);
    return event;
  };
  /** Leases units and returns an event for each of them. */
  const leased = async (workspaceId: string, wanted: number, included: number): Promise<UsageEvent[]> => {
    const [leaseId, unit] = [newId('lse'), 'lookupCached'] as const;
    const ask = { workspaceId, leaseId, unit, call: 1, sentAtMs: Date.now(), wanted, spent: 0, isFinal: false };
    const asks = [{ ...ask, periodStartMs: 0, included: unitsOf({ lookupCached: included }) }];
    const [grant] = await leaseAllowance(metering.deps, 'gateway-1', asks, { deadline: deadline() });
    expect(grant?.granted).toBe(wanted);
    return Array.from({ length: wanted }, (_, n) => {
      const item = itemOf(workspaceId, { chargeId: `${leaseId}-${n}` });
      const result = { attempt: 1, periodStartMs: currentPeriodMs(metering.clock) };
      return { ...usageEvent(eventOf(item, result)), leaseId };
    });
  };
  const eventsOf = async (workspaceId: string) =>
    (await metering.db.collection('outbox').find({ key: workspaceId }).sort({ sequence: 1 }).toArray()).map(
      ({ value }) => allowanceThresholdReached.live.decode(value.buffer),
    );
  const announced = async (workspaceId: string) =>
    (await eventsOf(workspaceId)).map(({ unit, percent, used }) => [unit, percent, used]);

  it('an event says whose units of which period reached which threshold, and how many are used', async () => {
    const workspaceId = newWorkspace();
    await use(workspaceId, { lookupCached: 79 }, { lookupCached: 100 });
    expect(await eventsOf(workspaceId)).toEqual([]);
    await use(workspaceId, { lookupCached: 3 }, { lookupCached: 100 });
    expect(await eventsOf(workspaceId)).toEqual([
      {
        workspaceId,
        unit: 'lookup_cached',
        percent: 80,
        included: 100,
        used: 82,
        periodStartMs: currentPeriodMs(metering.clock),
        atMs: metering.clock.now(),
        generation: 0,
      },
    ]);
    const row = await metering.db.collection('outbox').findOne({ key: workspaceId });
    expect(row?.headers).toMatchObject({ environment: 'live' });
  });

  it('each threshold of each unit is announced once in a period, and again in the next one', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupCached: 10, lookupLive: 10 };
    for (let n = 0; n < 10; n++) await use(workspaceId, { lookupCached: 1 }, included);
    await use(workspaceId, { lookupLive: 10 }, included);
    const expected = [
      ['lookup_cached', 80, 8],
      ['lookup_cached', 100, 10],
      ['lookup_live', 80, 10],
      ['lookup_live', 100, 10],
    ];
    expect(await announced(workspaceId)).toEqual(expected);
    const before = metering.clock.now();
    metering.clock.advance(31 * 24 * 3_600_000);
    await use(workspaceId, { lookupCached: 8 }, included);
    metering.clock.setWall(before);
    expect(await announced(workspaceId)).toEqual([...expected, ['lookup_cached', 80, 8]]);
  });

  it('reserved and lent units reach no threshold before their usage events are counted', async () => {
    const workspaceId = newWorkspace();
    await use(workspaceId, { lookupCached: 127 }, { lookupCached: 160 });
    const [first, ...others] = await leased(workspaceId, 2, 160);
    const last = await reserved(workspaceId, { lookupCached: 31 }, { lookupCached: 160 });
    expect(await announced(workspaceId)).toEqual([]);
    await record([first as UsageEvent]);
    expect(await announced(workspaceId)).toEqual([['lookup_cached', 80, 128]]);
    await record(others);
    await record([last]);
    expect(await announced(workspaceId)).toEqual([
      ['lookup_cached', 80, 128],
      ['lookup_cached', 100, 160],
    ]);
  });

  it('usage that falls below a threshold by a void or a refund and rises again is not announced twice', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupLive: 10 };
    const first = await use(workspaceId, { lookupLive: 8 }, included);
    const refund = { jobId: newId('job'), workspaceId, chargeId: first.chargeId, unit: 'lookupLive' as const };
    const at = metering.clock.now();
    await recordRefunds(metering.deps, [{ ...refund, jobCreatedAtMs: at, canceledAtMs: at }], deadline());
    const second = await use(workspaceId, { lookupLive: 1 }, included);
    await record([{ ...second, kind: 'void' }]);
    await use(workspaceId, { lookupLive: 1 }, included);
    expect(await announced(workspaceId)).toEqual([['lookup_live', 80, 8]]);
  });

  it('after a change of the plan the next usage event announces thresholds of both units, and none a second time', async () => {
    const workspaceId = newWorkspace();
    await use(workspaceId, { lookupCached: 50, lookupLive: 5 }, { lookupCached: 100, lookupLive: 100 });
    await use(workspaceId, { lookupCached: 1 }, { lookupCached: 60, lookupLive: 6 });
    expect(await announced(workspaceId)).toEqual([
      ['lookup_cached', 80, 51],
      ['lookup_live', 80, 5],
    ]);
    await use(workspaceId, { lookupCached: 40 }, { lookupCached: 100, lookupLive: 100 });
    expect(await announced(workspaceId)).toHaveLength(2);
  });

  it('a unit of which the plan includes nothing is not announced', async () => {
    const workspaceId = newWorkspace();
    const event = await reserved(workspaceId, { lookupCached: 1 }, { lookupCached: 10 });
    const set = { $set: { included: unitsOf({}) } };
    await metering.db.collection('allowances').updateOne({ workspaceId }, set);
    await record([event]);
    expect(await announced(workspaceId)).toEqual([]);
  });

  it('concurrent instances that count the units of one workspace announce each threshold once', async () => {
    const workspaceId = newWorkspace();
    const instance = async () => {
      for (let n = 0; n < 10; n++) {
        const event = await reserved(workspaceId, { lookupCached: 1 }, { lookupCached: 40 });
        await record([event]);
      }
    };
    await Promise.all([instance(), instance(), instance(), instance()]);
    expect(await announced(workspaceId)).toEqual([
      ['lookup_cached', 80, 32],
      ['lookup_cached', 100, 40],
    ]);
  });

  it('a batch of many workspaces announces the thresholds of those that reached one', async () => {
    const workspaces = Array.from({ length: 20 }, newWorkspace);
    const events: UsageEvent[] = [];
    for (const [n, workspaceId] of workspaces.entries()) {
      events.push(await reserved(workspaceId, { lookupCached: n }, { lookupCached: 20 }));
    }
    await record(events);
    const reached = await Promise.all(workspaces.map(announced));
    expect(reached.map((each) => each.length)).toEqual(workspaces.map((_, n) => (n >= 16 ? 1 : 0)));
  });

  const crashPoints: CrashPoint[] = ['before', 'within', 'after'];
  const crashes = crashPoints.flatMap((when) => [
    { when, kind: 'reserved', repeat: 'again' },
    { when, kind: 'lent', repeat: 'again' },
    { when, kind: 'reserved', repeat: 'with a void in the batch' },
  ]);
  for (const { when, kind, repeat } of crashes) {
    const title = `each threshold is announced once when an instance that counts ${kind} units crashes ${when} any call of the database and the events come ${repeat}`;
    // A crash before a call leaves the same documents as a crash after the preceding call.
    it(title, { ...nightlyUnless(when !== 'before'), timeout: 120_000 }, async () => {
      let calls = 0;
      for (let crashed = true; crashed; calls += 1) {
        const workspaceId = newWorkspace();
        await use(workspaceId, { lookupCached: 127 }, { lookupCached: 160 });
        const rest = kind === 'lent' ? await leased(workspaceId, 2, 160) : [];
        rest.push(await reserved(workspaceId, { lookupCached: 33 - rest.length }, { lookupCached: 160 }));
        const other = await reserved(workspaceId, {}, { lookupCached: 160 });
        const batch = repeat === 'again' ? rest : [...rest, { ...other, kind: 'void' as const }];
        const crashing = crashingAt(metering.deps, calls + 1, when);
        await record(batch, crashing).catch((error: unknown) => {
          if (!(error instanceof Crashed)) throw error;
        });
        crashed = crashing.hasCrashed();
        await record(batch);
        expect((await announced(workspaceId)).map(([, percent]) => percent)).toEqual([80, 100]);
      }
      expect(calls).toBeGreaterThan(when === 'within' ? 1 : 6);
    });
  }

  it('random usage, voids, replays and plans announce what a simple model announces', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('use' as const), units: fc.integer({ min: 1, max: 6 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), n: fc.nat({ max: 9 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('plan' as const), included: fc.integer({ min: 9, max: 40 }) }),
      },
    );
    const seen = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const workspaceId = newWorkspace();
        let plan = 30;
        let used = 0;
        let included = 0;
        const counted: UsageEvent[] = [];
        const voided = new Set<UsageEvent>();
        const expected: unknown[] = [];
        const known = new Set<number>();
        const decide = () => {
          for (const percent of [80, 100]) {
            if (known.has(percent) || used * 100 < included * percent) continue;
            known.add(percent);
            expected.push(['lookup_cached', percent, used]);
            seen.add(percent);
          }
        };
        for (const each of steps) {
          if (each.kind === 'plan') plan = each.included;
          if (each.kind === 'replay') await record(counted);
          if (each.kind === 'use' && used + each.units <= plan) {
            counted.push(await use(workspaceId, { lookupCached: each.units }, { lookupCached: plan }));
            used += each.units;
            included = plan;
            decide();
          }
          const last = each.kind === 'void' ? counted[each.n] : undefined;
          if (last && !voided.has(last)) {
            await record([{ ...last, kind: 'void' }]);
            voided.add(last);
            used -= last.units.lookupCached;
          }
        }
        expect(await announced(workspaceId)).toEqual(expected);
      }),
      runsOf({ byDay: 10, atNight: 30 }),
    );
    expect(seen).toEqual(new Set([80, 100]));
  }, 120_000);

  describe('cost of the comparison', () => {
    const commandsOf = (work: () => Promise<unknown>) => commandsDuring(metering, work);
    const usual = { 'aggregate ok': 1, 'insert ok': 1, 'update ok': 1, 'commitTransaction ok': 1 };

    it('the comparison adds no command while no threshold is reached: far from a threshold, close to it, and after it', async () => {
      const workspaceId = newWorkspace();
      const included = { lookupCached: 100 };
      await use(workspaceId, { lookupCached: 1 }, included);
      const held = await reserved(workspaceId, { lookupCached: 70 }, included);
      for (let n = 0; n < 3; n++) {
        const event = await reserved(workspaceId, { lookupCached: 3 }, included);
        expect(await commandsOf(() => record([event]))).toEqual(usual);
      }
      expect(await commandsOf(() => record([held]))).toEqual({
        ...usual,
        'insert ok': 2,
        'update ok': 2,
        'find ok': 1,
      });
      for (let n = 0; n < 3; n++) {
        const event = await reserved(workspaceId, { lookupCached: 3 }, included);
        expect(await commandsOf(() => record([event]))).toEqual(usual);
      }
      expect(await announced(workspaceId)).toEqual([['lookup_cached', 80, 80]]);
    });

    it('the comparison of lent units adds no command, because the transaction reads their allowances anyway', async () => {
      const workspaceId = newWorkspace();
      const events = await leased(workspaceId, 5, 1_000);
      const commands = await commandsOf(() => record(events));
      expect(commands).toEqual({ 'find ok': 2, 'insert ok': 1, 'update ok': 2, 'commitTransaction ok': 1 });
    });
  });
});

describe('events of thresholds', () => {
  it('two instances publish each threshold once, and a replay of usage.v1 publishes nothing more', async () => {
    const metering = await startMeterings('threshold-events', { instances: 2 });
    const [client] = metering.clients;
    const workspaceId = newWorkspace();
    const collector = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, metering.namespace);
    try {
      const { events, lag } = await collector.collect(allowanceThresholdReached.live);
      const usage: UsageRecorded[] = [];
      for (let n = 0; n < 10; n++) {
        const item = itemOf(workspaceId, { included: { lookupCached: 10 } });
        const result = (await client?.reserve({ items: [item] }))?.results[0];
        usage.push(eventOf(item, result as NonNullable<typeof result>));
      }
      await metering.publish(usage);
      await metering.settle();
      await metering.publish(usage);
      await metering.settle();
      await expect.poll(async () => [events.length > 0, await lag()]).toEqual([true, 0]);
      expect(events.map(({ unit, percent }) => [unit, percent])).toEqual([
        [unitNames.lookupCached, 80],
        [unitNames.lookupCached, 100],
      ]);
    } finally {
      await collector.close();
      await metering.stop();
    }
  });
});
