import { periodAt } from '@shopscope/clock';
import { atLeastZero, subtract, type Units } from './units.ts';

/** What a workspace has of its allowance in a period. */
export interface Balance {
  periodStartMs: number;
  periodEndMs: number;
  used: Units;
  reserved: Units;
}

/** `used` and `reserved` add up to what is taken, even when the two were read at different instants. */
export function balanceOf(periodStartMs: number, used: Units, taken: Units): Balance {
  return {
    periodStartMs,
    periodEndMs: periodAt(periodStartMs).endMs,
    used,
    reserved: atLeastZero(subtract(taken, used)),
  };
}

/** What a workspace has taken of its allowance in a period: used and reserved together. */
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
