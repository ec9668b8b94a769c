import { createDeadline } from '@shopscope/async';
import { hourMs, ManualClock } from '@shopscope/clock';
import { type LeasableUnit, type LeaseGrant, LeaseOutcome, unitsOf } from '@shopscope/proto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Payer } from './caller-request.ts';
import { createLeaseUnits, type LeaseUnits } from './lease-units.ts';
import type { LeaseCall } from './metering-client.ts';

type LeaseAsk = LeaseCall['asks'][number];

const periodStartMs = Date.UTC(2026, 10, 1);

/** Metering as the gateway sees it: grants what is wanted, up to `room` units more than before. */
function createMetering(clock: ManualClock) {
  const calls: LeaseAsk[][] = [];
  const metering = {
    calls,
    room: 1_000,
    /** Workspaces that get nothing. */
    refused: new Set<string>(),
    periodRestMs: hourMs,
    usableMs: 2_000,
    fails: undefined as Error | undefined,
    /** Runs while a call is under way. */
    during: async () => {},
    grants: new Map<string, number>(),
    async leaseAllowance({ asks }: LeaseCall) {
      calls.push(asks);
      await metering.during();
      if (metering.fails) throw metering.fails;
      return asks.map((ask): LeaseGrant => {
        const room = metering.refused.has(ask.workspaceId) ? 0 : metering.room;
        const granted = Math.min(ask.wanted, (metering.grants.get(ask.leaseId) ?? 0) + room);
        // Only the first call about a lease opens it.
        const isOpen = metering.grants.has(ask.leaseId) || (ask.callNumber === 1 && granted > 0);
        if (isOpen) metering.grants.set(ask.leaseId, granted);
        const isGranted = isOpen && !ask.final && granted > ask.spent;
        return {
          outcome: isGranted ? LeaseOutcome.GRANTED : LeaseOutcome.DIRECT,
          granted: isGranted ? granted : 0,
          periodStartMs,
          periodRestMs: metering.periodRestMs,
          taken: 10 + granted,
          lentElsewhere: 3,
          usableMs: metering.usableMs,
        };
      });
    },
  };
  return Object.assign(metering, { clock });
}

describe('LeaseUnits', () => {
  let clock: ManualClock;
  let metering: ReturnType<typeof createMetering>;
  let leases: LeaseUnits;
  beforeEach(() => {
    clock = new ManualClock(periodStartMs + hourMs);
    metering = createMetering(clock);
    leases = createLeaseUnits({ metering, clock });
  });

  const callerOf = (workspaceId: string, included = 100) =>
    ({
      workspaceId,
      keyId: 'key_1',
      plan: { included: unitsOf({ lookupCached: included, historyQuery: 100 }) },
    }) as Payer;
  const charge = (
    workspaceId = 'ws_1',
    over: { included?: number; timeoutMs?: number; unit?: LeasableUnit; amount?: number } = {},
  ) =>
    leases.charge({
      unit: over.unit ?? 'lookupCached',
      amount: over.amount ?? 1,
      caller: callerOf(workspaceId, over.included),
      deadline: createDeadline(over.timeoutMs ?? 10_000, { clock }),
    });

  it('charges of one turn share one lease call, whatever their workspaces, and each has its own id', async () => {
    const charges = await Promise.all([charge('ws_1'), charge('ws_1'), charge('ws_2')]);
    expect(metering.calls).toHaveLength(1);
    expect(metering.calls[0]).toMatchObject([
      { workspaceId: 'ws_1', callNumber: 1, wanted: 2, spent: 0, final: false },
      { workspaceId: 'ws_2', callNumber: 1, wanted: 1, spent: 0, final: false },
    ]);
    const ids = charges.map((one) => one?.chargeId);
    expect(new Set(ids).size).toBe(3);
    for (const one of charges) expect(one?.chargeId.startsWith(`${one.leaseId}-`)).toBe(true);
    // Taken by others: 10. Of the two units of the lease one is spent at the first charge, and two at the second.
    expect(charges.map((one) => one?.taken)).toEqual([8, 9, 8]);
  });

  it('a lease charge of several units takes them together, and gives them back together', async () => {
    const [batch, single] = await Promise.all([charge('ws_1', { amount: 100 }), charge()]);
    expect(metering.calls).toMatchObject([[{ wanted: 101, spent: 0 }]]);
    // Taken by others: 10 - 3. The batch spends the first hundred of the lease.
    expect([batch?.taken, single?.taken]).toEqual([107, 108]);
    batch?.release();
    expect(await charge('ws_1', { amount: 60 })).toMatchObject({ leaseId: batch?.leaseId, taken: 68 });
    expect(await charge('ws_1', { amount: 40 })).toMatchObject({ taken: 108 });
    expect(metering.calls).toHaveLength(1);
    await charge('ws_1', { amount: 2 });
    expect(metering.calls.at(-1)).toMatchObject([{ spent: 101 }]);
  });

  it('a charge of more units than metering lends is decided by Reserve for a minute, and leases pay smaller ones', async () => {
    metering.room = 50;
    expect(await charge('ws_1', { amount: 100 })).toBeUndefined();
    expect(await charge('ws_1', { amount: 51 })).toBeUndefined();
    // Before Reserve decides, the units that were lent return: they may be what the charge lacks.
    expect(metering.calls).toMatchObject([[{ wanted: 100, spent: 0 }], [{ wanted: 0, spent: 0 }]]);
    expect(await charge('ws_1', { amount: 50 })).toBeDefined();
    metering.room = 1_000;
    clock.advance(59_000);
    expect(await charge('ws_1', { amount: 51 })).toBeUndefined();
    clock.advance(1_000);
    expect(await charge('ws_1', { amount: 51 })).toBeDefined();
    metering.room = 50;
    expect(await charge('ws_2', { amount: 100 })).toBeUndefined();
    metering.room = 1_000;
    expect(await charge('ws_2', { amount: 100, included: 200 }), 'another plan').toBeDefined();
  });

  it('charges of several units leave no unit idle while they are rare, and calls ask for whole charges while they are many', async () => {
    metering.usableMs = 16_000;
    metering.room = 10_000;
    for (let n = 0; n < 5; n++) {
      await charge('ws_1', { amount: 100 });
      clock.advance(20_000);
      await new Promise(setImmediate);
    }
    const ofCharges = metering.calls.flat().filter(({ wanted, spent }) => wanted > spent);
    expect(ofCharges.map(({ wanted, spent }) => wanted - spent)).toEqual([100, 100, 100, 100, 100]);
    for (let n = 0; n < 40; n++) {
      await charge('ws_2', { amount: 100 });
      clock.advance(500);
      await new Promise(setImmediate);
    }
    const asked = metering.calls
      .flat()
      .filter(({ workspaceId, wanted, spent }) => workspaceId === 'ws_2' && wanted > spent);
    expect(asked.length, 'calls for 40 charges').toBeLessThan(10);
    for (const { wanted, spent } of asked) expect((wanted - spent) % 100).toBe(0);
  });

  it('charges of other workspaces are granted when a workspace in the queue has nothing to tell metering', async () => {
    await charge('ws_x');
    clock.advance(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    const slow = charge('ws_0');
    await new Promise(setImmediate);
    // The lease of the plan before has ended. A full call reports this, and the end of upkeep is in the next call.
    metering.refused.add('ws_x');
    const refused = charge('ws_x', { included: 50 });
    const others = Array.from({ length: 504 }, (_, n) => charge(`ws_${n + 1}`));
    clock.advance(500);
    await new Promise(setImmediate);
    metering.during = async () => {};
    resolve();
    await slow;
    expect(await refused).toBeUndefined();
    expect((await Promise.all(others)).filter((one) => one === undefined)).toEqual([]);
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
    expect(await charge('ws_new')).toBeDefined();
  });

  it('a change of plan ends the lease of the old plan, and units are asked for under the new plan', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    metering.room = 50;
    const before = charge('ws_1', { amount: 100, included: 1_000 });
    await new Promise(setImmediate);
    metering.during = async () => {};
    const after = charge('ws_1', { amount: 100, included: 1_000_000 });
    metering.room = 1_000;
    resolve();
    await Promise.all([before, after]);
    expect(await after).toBeDefined();
    const [first, ...later] = metering.calls.flat();
    expect(later.filter(({ leaseId }) => leaseId === first?.leaseId)).toMatchObject([{ final: true, spent: 0 }]);
    expect(await charge('ws_1', { amount: 100, included: 1_000_000 }), 'no pause of the plan before').toBeDefined();
  });

  it('a lease wants at most 4,096 unspent units, and a charge beyond them is decided by Reserve', async () => {
    metering.room = 10_000;
    const batches = await Promise.all(Array.from({ length: 41 }, () => charge('ws_1', { amount: 100 })));
    expect(metering.calls).toMatchObject([[{ wanted: 4_096, spent: 0 }]]);
    expect(batches.filter((batch) => batch !== undefined)).toHaveLength(40);
    expect(await charge('ws_1', { amount: 100 }), 'the next call').toBeDefined();
  });

  it('charges that arrive during a lease call wait for the next call', async () => {
    const second = Promise.withResolvers<unknown>();
    metering.during = async () => {
      metering.during = async () => {};
      second.resolve(charge());
    };
    await charge();
    await second.promise;
    expect(metering.calls.map(([ask]) => ask)).toMatchObject([
      { callNumber: 1, wanted: 1, spent: 0 },
      { callNumber: 2, wanted: 2, spent: 1, periodStartMs },
    ]);
  });

  it('a charge is decided by Reserve when its lease lacks the units, and for a second nothing more is asked for', async () => {
    metering.room = 2;
    const charges = await Promise.all([charge(), charge(), charge()]);
    expect(charges.map((one) => one !== undefined)).toEqual([true, true, false]);
    metering.room = 0;
    expect(await charge()).toBeUndefined();
    expect(await charge()).toBeUndefined();
    expect(metering.calls).toHaveLength(2);
    metering.room = 5;
    clock.advance(1_000);
    expect(await charge()).toBeDefined();
    // The lease that granted nothing has ended.
    expect(metering.calls[2]).toMatchObject([
      { final: true, callNumber: 3, spent: 2 },
      { final: false, callNumber: 1 },
    ]);
  });

  it('charges are decided by Reserve for a minute when little is left, unless the plan or the period changes', async () => {
    metering.room = 0;
    expect(await charge('ws_1', { included: 20 })).toBeUndefined();
    clock.advance(59_000);
    expect(await charge('ws_1', { included: 20 })).toBeUndefined();
    expect(metering.calls).toHaveLength(1);
    metering.room = 5;
    expect(await charge('ws_1', { included: 200 })).toBeDefined();
    metering.room = 0;
    metering.periodRestMs = 5_000;
    expect(await charge('ws_2', { included: 20 })).toBeUndefined();
    metering.room = 5;
    clock.advance(5_000);
    expect(await charge('ws_2', { included: 20 })).toBeDefined();
  });

  it('charges are decided by Reserve for a second after a lease call failed', async () => {
    metering.fails = new Error('no connection');
    expect(await charge()).toBeUndefined();
    metering.fails = undefined;
    clock.advance(999);
    expect(await charge()).toBeUndefined();
    clock.advance(1);
    expect(await charge()).toBeDefined();
  });

  it('charges of two units have leases of their own, in one call', async () => {
    const charges = await Promise.all([charge(), charge('ws_1', { unit: 'historyQuery' }), charge()]);
    expect(metering.calls).toMatchObject([
      [
        { workspaceId: 'ws_1', unit: 'lookupCached', wanted: 2 },
        { workspaceId: 'ws_1', unit: 'historyQuery', wanted: 1 },
      ],
    ]);
    const [lookUp, query, second] = charges.map((one) => one?.leaseId);
    expect(second).toBe(lookUp);
    expect(query).not.toBe(lookUp);
    await leases.stop();
    const ended = metering.calls
      .at(-1)
      ?.filter(({ final }) => final)
      .map(({ unit, leaseId }) => [unit, leaseId]);
    expect(new Map(ended as [LeasableUnit, string][])).toEqual(
      new Map([
        ['lookupCached', lookUp],
        ['historyQuery', query],
      ]),
    );
  });

  it('charges of a unit that little is left of are decided by Reserve, and those of the other unit are not', async () => {
    metering.room = 0;
    expect(await charge('ws_1', { unit: 'historyQuery', included: 20 })).toBeUndefined();
    expect(await charge('ws_1', { included: 20 })).toBeUndefined();
    metering.room = 5;
    clock.advance(1_000);
    // Of 100 queries 90 are left, and of 20 look-ups 10.
    expect(await charge('ws_1', { unit: 'historyQuery', included: 20 })).toBeDefined();
    expect(await charge('ws_1', { included: 20 })).toBeUndefined();
    // Another plan for look-ups.
    expect(await charge('ws_1', { included: 200 })).toBeDefined();
    const [opened] = metering.calls.flat().filter(({ unit, wanted }) => unit === 'historyQuery' && wanted > 0);
    expect(opened).toMatchObject({ included: { lookupCached: 20, historyQuery: 100 } });
  });

  it('the lease call after a lost one wants no more units than are needed then, and charge ids continue', async () => {
    await charge();
    metering.fails = new Error('lost');
    expect(await Promise.all([charge(), charge(), charge()])).toEqual([undefined, undefined, undefined]);
    metering.fails = undefined;
    clock.advance(1_000);
    expect(await charge()).toMatchObject({ chargeId: expect.stringMatching(/-2$/) });
    expect(metering.calls.at(-1)).toMatchObject([{ callNumber: 3, wanted: 2, spent: 1 }]);
  });

  it.each([
    ['two seconds after the call by the monotonic clock', () => clock.advance(2_000)],
    ['two seconds after the call by the wall clock', () => clock.setWall(clock.now() + 2_000)],
    ['when the wall clock has stepped back', () => clock.setWall(clock.now() - 2_000)],
  ])('a charge is decided by Reserve when the answer of the lease call arrives %s', async (_, pass) => {
    metering.during = async () => pass();
    expect(await charge()).toBeUndefined();
  });

  it.each([
    ['sixteen seconds while much is left', 16_000, 16_000],
    ['two seconds while little is left', 2_000, 2_000],
  ])('a charge spends units of a lease call for %s', async (_, usableMs, spentForMs) => {
    metering.usableMs = usableMs;
    const patient = { timeoutMs: 20_000 };
    metering.during = async () => clock.advance(spentForMs - 1);
    expect(await charge('ws_1', patient)).toBeDefined();
    metering.during = async () => clock.advance(spentForMs);
    expect(await charge('ws_1', patient)).toBeUndefined();
  });

  it('a charge is decided by Reserve when the period ended during the lease call', async () => {
    metering.periodRestMs = 500;
    metering.during = async () => clock.advance(600);
    expect(await charge()).toBeUndefined();
  });

  it.each([
    ['each minute', 3, 20_000],
    ['after a rest of 30 s', 1, 30_000],
    ['after the end of the period', 1, 400],
  ])('charges come from a new lease %s, and metering learns of the end of the old one', async (_, times, pauseMs) => {
    metering.periodRestMs = times === 1 && pauseMs < 1_000 ? 400 : hourMs;
    const first = await charge();
    for (let n = 0; n < times; n++) {
      clock.advance(pauseMs);
      await charge();
    }
    const [ended, opened] = metering.calls.at(-1) as [LeaseAsk, LeaseAsk];
    expect(ended).toMatchObject({ leaseId: first?.leaseId, final: true, spent: times });
    expect(opened).toMatchObject({ callNumber: 1, wanted: 1, final: false });
    expect(opened.leaseId).not.toBe(first?.leaseId);
  });

  it('charges take expected units from the lease, without a call', async () => {
    for (let n = 0; n < 4; n++) {
      await charge();
      clock.advance(250);
    }
    const calls = metering.calls.length;
    // Four in a second before it: the call wants one for the request, and some for those that follow.
    await charge();
    const [ask] = metering.calls.at(-1) as [LeaseAsk];
    expect(ask).toMatchObject({ spent: 4 });
    expect(ask.wanted - ask.spent).toBeGreaterThan(1);
    for (let spent = 5; spent < ask.wanted; spent++) expect(await charge()).toBeDefined();
    expect(metering.calls).toHaveLength(calls + 1);
    await charge();
    expect(metering.calls).toHaveLength(calls + 2);
  });

  /** Ten requests a second of two workspaces. Resolves to the calls that requests waited for, and those that none waited for. */
  const makeRequests = async (seconds: number) => {
    const awaited: LeaseAsk[][] = [];
    const before = metering.calls.length;
    for (let n = 0; n < seconds * 10; n++) {
      for (const workspaceId of ['ws_1', 'ws_2']) {
        const known = metering.calls.length;
        expect(await charge(workspaceId)).toBeDefined();
        awaited.push(...metering.calls.slice(known));
      }
      clock.advance(100);
      await new Promise(setImmediate);
    }
    return { awaited, ahead: metering.calls.slice(before).filter((call) => !awaited.includes(call)) };
  };

  it('charges of busy workspaces do not wait: one call asks for all leases that are running out', async () => {
    metering.usableMs = 16_000;
    // The first seconds show how many requests to expect.
    await makeRequests(20);
    const { awaited, ahead } = await makeRequests(50);
    expect(awaited).toEqual([]);
    expect(ahead.length).toBeGreaterThan(0);
    expect(ahead.length).toBeLessThan(10);
    for (const asks of ahead) {
      expect([...new Set(asks.map(({ workspaceId }) => workspaceId))]).toEqual(['ws_1', 'ws_2']);
    }
    const asked = ahead.flat().map(({ wanted, spent }) => wanted - spent);
    expect(Math.max(...asked), 'the requests of the next 16 s').toBeGreaterThan(100);
    expect(Math.max(...asked)).toBeLessThan(200);
  });

  it('a workspace without further charges returns its lease and asks for no more units', async () => {
    metering.usableMs = 16_000;
    await makeRequests(20);
    clock.advance(3_000);
    const calls = metering.calls.length;
    for (let n = 0; n < 40; n++) {
      clock.advance(500);
      await new Promise(setImmediate);
    }
    const later = metering.calls.slice(calls).flat();
    expect(later, 'the return of each').toHaveLength(2);
    expect(later.filter(({ wanted, spent }) => wanted > spent)).toEqual([]);
  });

  it('charges of rare requests all come from leases, also when a new lease replaces one that asked for no units in advance', async () => {
    metering.usableMs = 16_000;
    for (let n = 0; n < 500; n++) {
      expect(await charge()).toBeDefined();
      // From 0.5 to 5.5 s.
      for (let step = 0; step < 1 + ((n * 7) % 11); step++) {
        clock.advance(500);
        await new Promise(setImmediate);
      }
    }
  });

  it('leases with little left in the allowance ask for more only when a request waits', async () => {
    const { awaited, ahead } = await makeRequests(20);
    expect(awaited.length).toBeGreaterThan(0);
    expect(ahead.flat().filter(({ wanted, spent }) => wanted > spent)).toEqual([]);
  });

  it('leases ask ahead once at a time for each workspace, however slow metering is', async () => {
    metering.usableMs = 16_000;
    const workspaces = Array.from({ length: 300 }, (_, n) => `ws_${n}`);
    const spend = () => Promise.all(workspaces.map((workspaceId) => charge(workspaceId)));
    for (let second = 0; second < 10; second++) {
      await spend();
      clock.advance(1_000);
      await new Promise(setImmediate);
    }
    const asked = metering.calls.length;
    while (metering.calls.length === asked) await spend();
    const { wanted = 0, spent = 0 } = metering.calls.at(-1)?.[0] ?? {};
    for (let left = wanted - spent - 1; left > 0; left--) await spend();
    // No lease has a unit left.
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    const calls = metering.calls.length;
    for (let n = 0; n < 6; n++) {
      clock.advance(500);
      await new Promise(setImmediate);
    }
    expect(metering.calls.slice(calls).map((asks) => asks.length)).toEqual([300]);
    resolve();
    for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    expect(metering.calls.slice(calls)).toHaveLength(1);
  });

  it('a charge that waits is granted when no unit was granted ahead', async () => {
    metering.usableMs = 16_000;
    await makeRequests(20);
    metering.room = 0;
    metering.grants.clear();
    const calls = metering.calls.length;
    while (metering.calls.length === calls) {
      if (!(await charge())) break;
      clock.advance(500);
      await new Promise(setImmediate);
    }
    metering.room = 1_000;
    expect(await charge()).toBeDefined();
  });

  it('leases of a workspace with rare requests want no unit beyond them', async () => {
    for (let n = 0; n < 10; n++) {
      await charge();
      clock.advance(3_000);
    }
    for (const [ask] of metering.calls as [LeaseAsk][]) expect(ask.wanted).toBe(ask.spent + 1);
  });

  it('charges spend the units that the lease holds while a call is under way, and not beyond what the call wants', async () => {
    const [first, second] = await Promise.all([charge(), charge()]);
    first?.release();
    second?.release();
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    clock.advance(100);
    const taken = [await charge(), await charge()];
    const waiting = charge();
    await new Promise(setImmediate);
    expect(metering.calls.at(-1)).toMatchObject([{ spent: 2, wanted: 4 }]);
    taken[1]?.release();
    expect(await charge()).toBeDefined();
    resolve();
    expect(await waiting).toBeDefined();
  });

  it('a unit is idle for at most 2.5 s before it returns, and a lease that grants nothing is ended', async () => {
    const first = await charge();
    first?.release();
    clock.advance(1_500);
    await new Promise(setImmediate);
    expect(metering.calls).toHaveLength(1);
    clock.advance(1_000);
    await new Promise(setImmediate);
    expect(metering.calls.slice(1)).toMatchObject([
      [{ workspaceId: 'ws_1', callNumber: 2, wanted: 0, spent: 0, final: false }],
    ]);
    clock.advance(5_000);
    await new Promise(setImmediate);
    expect(metering.calls).toHaveLength(2);
    metering.room = 0;
    metering.grants.clear();
    expect(await charge()).toBeUndefined();
    clock.advance(1_000);
    await new Promise(setImmediate);
    expect(metering.calls.at(-1)).toMatchObject([{ callNumber: 4, final: true, spent: 0 }]);
  });

  it('a charge that is given back leaves its units to the lease, and its id is not used again', async () => {
    const first = await charge();
    first?.release();
    const second = await charge();
    expect(second?.leaseId).toBe(first?.leaseId);
    expect(second?.chargeId).not.toBe(first?.chargeId);
    expect(metering.calls).toHaveLength(1);
  });

  it('a charge whose deadline has passed spends nothing, and later charges still come from leases', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    const rejected = expect(charge('ws_1', { timeoutMs: 100 })).rejects.toThrow('took too long');
    await new Promise(setImmediate);
    clock.advance(100);
    await rejected;
    metering.during = async () => {};
    resolve();
    expect(await charge('ws_2')).toBeDefined();
    expect(await charge('ws_1')).toMatchObject({ chargeId: expect.stringMatching(/-1$/) });
    // The unit of the first caller is left.
    expect(metering.calls.flat().filter(({ workspaceId }) => workspaceId === 'ws_1')).toHaveLength(1);
  });

  it('charges that wait while the call before them fails are decided by Reserve without a call of their own', async () => {
    const second = Promise.withResolvers<unknown>();
    metering.fails = new Error('no connection');
    metering.during = async () => second.resolve(charge('ws_2'));
    expect(await charge()).toBeUndefined();
    expect(await second.promise).toBeUndefined();
    expect(metering.calls).toHaveLength(1);
  });

  it('a lease charge whose deadline has passed rejects with the error of the deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    metering.during = () => promise;
    const slow = charge('ws_1', { timeoutMs: 100 });
    const rejected = expect(slow).rejects.toThrow('took too long');
    await new Promise(setImmediate);
    clock.advance(100);
    await rejected;
    resolve();
  });

  it('charges are decided by Reserve after the stop, which ends every lease', async () => {
    await charge('ws_1');
    await charge('ws_2');
    await leases.stop();
    expect(metering.calls.at(-1)).toMatchObject([
      { workspaceId: 'ws_2', final: true },
      { workspaceId: 'ws_1', final: true },
    ]);
    expect(await charge()).toBeUndefined();
  });
});
