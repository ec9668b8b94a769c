import type { Operation } from '../clients/history.ts';
import type { BilledCharge } from './databases.ts';
import { attemptsOf, ofKinds } from './timeline.ts';

/**
 * Checks at the end of the run that the used units do not exceed the allowance. The clients send look-ups until the allowance is exhausted,
 * so the ledger must have all units of the allowance. Units of look-ups that failed or got no response may be missing, because such
 * look-ups may have held reservations at that moment.
 */
export function checkAllowance(
  operations: readonly Operation[],
  charges: readonly BilledCharge[],
  included: number,
): string[] {
  const used = usedOf(charges);
  const smallAllowance = attemptsOf(operations.filter(ofKinds('small-allowance')));
  const succeeded = smallAllowance.filter(({ outcome }) => outcome === 'ok').length;
  const possiblyBilled = smallAllowance.filter(({ outcome, status }) => outcome === 'unknown' || status >= 500).length;
  return [
    ...(used > included ? [`the ledger has ${used} of ${included} units`] : []),
    ...(succeeded > included ? [`${succeeded} of ${included} look-ups succeeded`] : []),
    ...(used + possiblyBilled < included
      ? [`the ledger has only ${used} of ${included} units that are all taken`]
      : []),
  ];
}

/** Returns how many look-ups were refused because the allowance was exhausted. */
export const exhaustedTimes = (operations: readonly Operation[]): number =>
  attemptsOf(operations.filter(ofKinds('small-allowance'))).filter(({ status }) => status === 402).length;

export const usedOf = (charges: readonly BilledCharge[]): number =>
  charges.reduce((sum, { units }) => sum + units.lookupCached, 0);
