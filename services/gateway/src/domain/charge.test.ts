import type { Balance } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { remainingOf } from './charge.ts';
import { noUnits, unitsOf } from './units.ts';

const period = { periodStartMs: 0, periodEndMs: 1 };
const lookups = (lookupCached: number) => unitsOf({ lookupCached });

it.each<[string, Balance | undefined, number]>([
  ['of the sum, where that alone is told', { ...period, taken: lookups(5), used: undefined, reserved: undefined }, 95],
  ['of the parts, where an older instance tells those alone', olderBalance(), 95],
  ['of nothing spent', { ...period, taken: noUnits, used: noUnits, reserved: noUnits }, 100],
  [
    'of more spent than a smaller plan includes',
    { ...period, taken: lookups(101), used: undefined, reserved: undefined },
    0,
  ],
])('what is left of an allowance is told %s', (_, balance, left) => {
  expect(remainingOf(100, balance)).toBe(left);
});

function olderBalance(): Balance {
  return { ...period, taken: undefined, used: lookups(3), reserved: lookups(2) };
}
