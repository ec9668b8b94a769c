import { periodAt } from '@shopscope/clock';
import { type Balance, noUnits, type Units } from '@shopscope/proto';
import type { AllowanceState } from './fold.ts';
import { add, atLeastZero, subtract } from './units.ts';

export type WholeBalance = ReturnType<typeof balanceOf>;

/** The taken units of an allowance, with the adjustment that they contain. */
export type TakenUnits = Pick<AllowanceState, 'taken' | 'adjustment'>;

export const nothingTaken: TakenUnits = { taken: noUnits, adjustment: noUnits };

/** Returns the balance. `reserved` is at least 0, even if `used` and `taken` were read at different instants. */
export function balanceOf(periodStartMs: number, used: Units, { taken, adjustment }: TakenUnits) {
  const reserved = atLeastZero(subtract(subtract(taken, adjustment), used));
  const { endMs: periodEndMs } = periodAt(periodStartMs);
  return { periodStartMs, periodEndMs, used, reserved, taken: shown([used, reserved, adjustment].reduce(add)) };
}

/** Returns the balance for a Reserve, which knows only the taken units. */
export function takenBalanceOf(periodStartMs: number, taken: Units): Balance {
  const { endMs: periodEndMs } = periodAt(periodStartMs);
  return { periodStartMs, periodEndMs, used: undefined, reserved: undefined, taken: shown(taken) };
}

/** The taken units are negative if units were given back after SetTestAllowance had set what is left to the included units. */
const shown = atLeastZero;
