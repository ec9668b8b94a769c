import { ManualClock } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createBalanceCache } from './balance-cache.ts';
import type { Payer } from './caller-request.ts';

const caller = { workspaceId: 'ws_1', plan: { included: unitsOf({ lookupCached: 10 }) } } as Payer;
const origin = { requestId: '', traceparent: '', environment: 'live' as const };

function setUp() {
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 23, 59, 59));
  const state = { calls: 0, used: 1, fail: false };
  const balanceOf = () => ({
    periodStartMs: Date.UTC(2026, 0, 1),
    periodEndMs: Date.UTC(2026, 1, 1),
    used: unitsOf({ lookupCached: state.used }),
    reserved: unitsOf({ lookupCached: 2 }),
    taken: unitsOf({ lookupCached: state.used + 2 }),
  });
  const balances = createBalanceCache({
    clock,
    metering: {
      async getBalance() {
        state.calls++;
        if (state.fail) throw new Error('unavailable');
        return balanceOf();
      },
    },
  });
  return { clock, state, balances, balanceOf };
}

it('the remaining units are included minus used and reserved, never negative and at most 2 s old', async () => {
  const { balances, clock, state } = setUp();
  expect(await balances.remaining(caller, origin)).toBe(7);
  state.used = 50;
  expect(await balances.remaining(caller, origin)).toBe(7);
  expect(state.calls).toBe(1);
  clock.setWall(Date.UTC(2026, 0, 20));
  clock.advance(2_000);
  expect(await balances.remaining(caller, origin)).toBe(0);
});

it('a balance of an ended period is not used', async () => {
  const { balances, clock, state } = setUp();
  await balances.remaining(caller, origin);
  clock.advance(1_000);
  await balances.remaining(caller, origin);
  expect(state.calls).toBe(2);
});

it('a balance that a charge returned is used without a call of metering', async () => {
  const { balances, state, balanceOf } = setUp();
  balances.put('ws_1', balanceOf());
  expect(await balances.remaining(caller, origin)).toBe(7);
  expect(state.calls).toBe(0);
});

it('the balance of a lease tells nothing about other units', async () => {
  const { clock, state, balances, balanceOf } = setUp();
  clock.setWall(Date.UTC(2026, 0, 20));
  const payer = { ...caller, plan: { included: unitsOf({ lookupCached: 10, refreshRequested: 5_000 }) } } as Payer;
  const left = () => balances.remaining(payer, origin, 'refreshRequested');
  balances.put('ws_1', { ...balanceOf(), taken: unitsOf({ refreshRequested: 4_900 }) });
  balances.put('ws_1', { ...balanceOf(), taken: unitsOf({ lookupCached: 4 }) }, ['lookupCached']);
  expect([await balances.remaining(payer, origin), await left()]).toEqual([6, 100]);
  expect(state.calls).toBe(0);
});

it('after a failure metering is not called for one second', async () => {
  const { balances, clock, state } = setUp();
  state.fail = true;
  expect(await balances.remaining(caller, origin)).toBeUndefined();
  expect(await balances.remaining(caller, origin)).toBeUndefined();
  expect(state.calls).toBe(1);
  clock.advance(1_000);
  await balances.remaining(caller, origin);
  expect(state.calls).toBe(2);
});

it('a failure for one workspace does not affect other workspaces', async () => {
  const { balances, state } = setUp();
  state.fail = true;
  await balances.remaining(caller, origin);
  state.fail = false;
  expect(await balances.remaining({ ...caller, workspaceId: 'ws_2' }, origin)).toBe(7);
});

it('after a failure the last balance is used until its period ends', async () => {
  const { balances, clock, state } = setUp();
  clock.setWall(Date.UTC(2026, 0, 20));
  await balances.remaining(caller, origin);
  state.fail = true;
  clock.advance(2_000);
  expect([await balances.remaining(caller, origin), await balances.remaining(caller, origin)]).toEqual([7, 7]);
  expect(state.calls).toBe(2);
  clock.setWall(Date.UTC(2026, 1, 1));
  expect(await balances.remaining(caller, origin)).toBeUndefined();
});
