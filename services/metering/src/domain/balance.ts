import { periodAt } from '@shopscope/clock';
import type { Balance, Units } from '@shopscope/proto';
import { add, atLeastZero, subtract } from './units.ts';

export type WholeBalance = ReturnType<typeof balanceOf>;

/** Returns the balance. `reserved` is at least 0, even if `used` and `taken` were read at different instants. */
export function balanceOf(periodStartMs: number, used: Units, taken: Units) {
  const reserved = atLeastZero(subtract(taken, used));
  return { periodStartMs, periodEndMs: periodAt(periodStartMs).endMs, used, reserved, taken: add(used, reserved) };
}

/** Returns the balance for a Reserve, which knows only the taken units: the sum of used and reserved units. */
export function takenBalanceOf(periodStartMs: number, taken: Units): Balance {
  return { periodStartMs, periodEndMs: periodAt(periodStartMs).endMs, used: undefined, reserved: undefined, taken };
}
