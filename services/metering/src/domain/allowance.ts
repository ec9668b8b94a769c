import { add, noUnits, subtract, type UnitKey, type Units, unitThatDoesNotFit } from './units.ts';

export interface Wanted {
  units: Units;
  included: Units;
  /** What the charge's superseded attempt gives back first. */
  credit: Units;
}

export interface Granting {
  /** Parallel to what was wanted: undefined when granted, else the unit that is exhausted. */
  exhausted: (UnitKey | undefined)[];
  /** Change of the allowance taken. */
  delta: Units;
}

/** Decides one after the other, in order, on an allowance of which `taken` is used or reserved already. */
export function grantSingly(taken: Units, wanted: readonly Wanted[]): Granting {
  let delta = noUnits;
  const exhausted = wanted.map(({ units, included, credit }) => {
    delta = subtract(delta, credit);
    const unit = unitThatDoesNotFit(add(taken, delta), units, included);
    if (!unit) delta = add(delta, units);
    return unit;
  });
  return { exhausted, delta };
}

/** Everything at once: the change of the allowance when all is granted. */
export function sumOfWanted(wanted: readonly Wanted[]): Units {
  return wanted.reduce((sum, { units, credit }) => subtract(add(sum, units), credit), noUnits);
}
