import { noUnits, type UnitKey, type Units } from '@shopscope/proto';
import { add, firstExhaustedUnit, subtract } from './units.ts';

export interface AllowanceRequest {
  units: Units;
  included: Units;
  /** Units that the superseded attempt of the charge frees first. */
  credit: Units;
}

export interface GrantResult {
  /** One entry per request, in the same order: undefined if the request is granted, else the exhausted unit. */
  exhausted: (UnitKey | undefined)[];
  /** The change of the taken units. */
  delta: Units;
}

/** Decides the requests one after the other, in order. `taken` has the units that are taken before the first request. */
export function grantOneByOne(taken: Units, requests: readonly AllowanceRequest[]): GrantResult {
  let delta = noUnits;
  const exhausted = requests.map(({ units, included, credit }) => {
    delta = subtract(delta, credit);
    const unit = firstExhaustedUnit(add(taken, delta), units, included);
    if (!unit) delta = add(delta, units);
    return unit;
  });
  return { exhausted, delta };
}

/** Returns the change of the allowance if every request is granted. */
export function sumOfRequests(requests: readonly AllowanceRequest[]): Units {
  return requests.reduce((sum, { units, credit }) => subtract(add(sum, units), credit), noUnits);
}
