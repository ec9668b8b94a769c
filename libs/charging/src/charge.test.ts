import { type Balance, noUnits, type Units, unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { Payer } from './caller-request.ts';
import { allowanceExhausted, remainingUnits } from './charge.ts';

const period = { periodStartMs: 0, periodEndMs: 1 };
const lookups = (lookupCached: number) => unitsOf({ lookupCached });

it.each<[string, Balance | undefined, number]>([
  [
    'taken, when metering returns only that',
    { ...period, taken: lookups(5), used: undefined, reserved: undefined },
    95,
  ],
  ['no units taken', { ...period, taken: noUnits, used: noUnits, reserved: noUnits }, 100],
  [
    'more units taken than a smaller plan includes',
    { ...period, taken: lookups(101), used: undefined, reserved: undefined },
    0,
  ],
])('the remaining allowance is computed from %s', (_, balance, left) => {
  expect(remainingUnits(100, balance)).toBe(left);
});

describe('allowanceExhausted', () => {
  const refusalOf = (unit: string, needed: Partial<Units>, taken: Partial<Units>, included: Partial<Units>) => {
    const balance = { ...period, periodEndMs: Date.UTC(2026, 11, 1), taken: unitsOf(taken) };
    return allowanceExhausted(
      {
        exhaustedUnit: unit,
        balance: { ...balance, used: undefined, reserved: undefined },
      },
      { units: unitsOf(needed), caller: { plan: { included: unitsOf(included) } } as Payer },
    );
  };
  const until = 'until 2026-12-01T00:00:00.000Z.';

  it.each([
    [10, 995, `This request needs 10 lookup_cached; 5 are left of 1,000 ${until}`],
    [2, 999, `This request needs 2 lookup_cached; 1 is left of 1,000 ${until}`],
    [1, 1_000, `This request needs 1 lookup_cached; none are left of 1,000 ${until}`],
    [1, 1_500, `This request needs 1 lookup_cached; none are left of 1,000 ${until}`],
  ])('the message of a 402 names %i needed units and the units left after %i taken ones', (needed, taken, message) => {
    const error = refusalOf(
      'lookup_cached',
      { lookupCached: needed },
      { lookupCached: taken },
      { lookupCached: 1_000 },
    );
    expect(error.publicMessage).toBe(message);
    expect(error).toMatchObject({
      code: 'payment_required',
      details: { unit: 'lookup_cached', reset_at: '2026-12-01T00:00:00.000Z' },
    });
  });

  it('the message of a 402 counts the exhausted unit, not another one', () => {
    const error = refusalOf('lookup_live', { lookupCached: 9, lookupLive: 3 }, { lookupLive: 24 }, { lookupLive: 25 });
    expect(error.publicMessage).toBe(`This request needs 3 lookup_live; 1 is left of 25 ${until}`);
  });

  it('the message of a 402 names no reset time when the plan includes none of the unit', () => {
    const error = refusalOf('lookup_live', { lookupLive: 3 }, {}, {});
    expect(error.publicMessage).toBe('This request needs 3 lookup_live; the plan includes none.');
  });
});
