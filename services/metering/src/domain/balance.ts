import { periodAt } from '@shopscope/clock';
import type { Units } from '@shopscope/proto';
import { atLeastZero, subtract } from './units.ts';

/** The allowance of a workspace in a period, used and reserved. */
export interface Balance {
  periodStartMs: number;
  periodEndMs: number;
  used: Units;
  reserved: Units;
}

/** The balance from `used` and `taken`; `reserved` is at least 0 when the two were read at different instants. */
export function balanceOf(periodStartMs: number, used: Units, taken: Units): Balance {
  return {
    periodStartMs,
    periodEndMs: periodAt(periodStartMs).endMs,
    used,
    reserved: atLeastZero(subtract(taken, used)),
  };
}

/** The allowance that a workspace has taken in a period: used and reserved together. */
export interface TakenBalance {
  periodStartMs: number;
  periodEndMs: number;
  taken: Units;
}

export const takenBalanceOf = (periodStartMs: number, taken: Units): TakenBalance => ({
  periodStartMs,
  periodEndMs: periodAt(periodStartMs).endMs,
  taken,
});
