import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import type { Caller } from '../../domain/caller.ts';
import { unitsOf } from '../../domain/units.ts';
import { createBalances } from './balances.ts';

const caller = { workspaceId: 'ws_1', plan: { included: unitsOf({ lookupCached: 10 }) } } as Caller;
const origin = { requestId: '', traceparent: '' };

function setUp() {
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 23, 59, 59));
  const state = { asked: 0, used: 1, fail: false };
  const balanceOf = () => ({
    periodStartMs: Date.UTC(2026, 0, 1),
    periodEndMs: Date.UTC(2026, 1, 1),
    used: unitsOf({ lookupCached: state.used }),
    reserved: unitsOf({ lookupCached: 2 }),
    taken: unitsOf({ lookupCached: state.used + 2 }),
  });
  const balances = createBalances({
    clock,
    metering: {
      async getBalance() {
        state.asked++;
        if (state.fail) throw new Error('away');
        return balanceOf();
      },
    },
  });
  return { clock, state, balances, balanceOf };
}

it('what is left is included less used and reserved, never below zero, and at most 2 s old', async () => {
  const { balances, clock, state } = setUp();
  expect(await balances.remaining(caller, origin)).toBe(7);
  state.used = 50;
  expect(await balances.remaining(caller, origin)).toBe(7);
  expect(state.asked).toBe(1);
  clock.setWall(Date.UTC(2026, 0, 20));
  clock.advance(2_000);
  expect(await balances.remaining(caller, origin)).toBe(0);
});

it('a balance of a period that has ended is not told', async () => {
  const { balances, clock, state } = setUp();
  await balances.remaining(caller, origin);
  clock.advance(1_000);
  await balances.remaining(caller, origin);
  expect(state.asked).toBe(2);
});

it('a balance that came with a charge is taken without asking', async () => {
  const { balances, state, balanceOf } = setUp();
  balances.note('ws_1', balanceOf());
  expect(await balances.remaining(caller, origin)).toBe(7);
  expect(state.asked).toBe(0);
});

it('after a failure nobody asks for a second', async () => {
  const { balances, clock, state } = setUp();
  state.fail = true;
  expect(await balances.remaining(caller, origin)).toBeUndefined();
  expect(await balances.remaining(caller, origin)).toBeUndefined();
  expect(state.asked).toBe(1);
  clock.advance(1_000);
  await balances.remaining(caller, origin);
  expect(state.asked).toBe(2);
});

it('a failure for one workspace silences no other', async () => {
  const { balances, state } = setUp();
  state.fail = true;
  await balances.remaining(caller, origin);
  state.fail = false;
  expect(await balances.remaining({ ...caller, workspaceId: 'ws_2' }, origin)).toBe(7);
});

it('after a failure the last known balance of the same period is told, and none of a period that ended', async () => {
  const { balances, clock, state } = setUp();
  clock.setWall(Date.UTC(2026, 0, 20));
  await balances.remaining(caller, origin);
  state.fail = true;
  clock.advance(2_000);
  expect([await balances.remaining(caller, origin), await balances.remaining(caller, origin)]).toEqual([7, 7]);
  expect(state.asked).toBe(2);
  clock.setWall(Date.UTC(2026, 1, 1));
  expect(await balances.remaining(caller, origin)).toBeUndefined();
});
