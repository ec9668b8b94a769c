import type { Operation } from '../clients/history.ts';
import type { LedgerCharge } from './databases.ts';
import { attemptsOf, ofKinds } from './timeline.ts';

/**
 * used ≤ included, in the end: the bench asks until the allowance is refused, so that all of it is in the ledger, except
 * what unanswered and failed look-ups had reserved at that moment and got back since.
 */
export function checkAllowance(
  operations: readonly Operation[],
  charges: readonly LedgerCharge[],
  included: number,
): string[] {
  const used = usedOf(charges);
  const tight = attemptsOf(operations.filter(ofKinds('tight')));
  const given = tight.filter(({ outcome }) => outcome === 'ok').length;
  const perhaps = tight.filter(({ outcome, status }) => outcome === 'unknown' || status >= 500).length;
  return [
    ...(used > included ? [`the ledger has ${used} of ${included} units`] : []),
    ...(given > included ? [`${given} of ${included} look-ups were answered`] : []),
    ...(used + perhaps < included ? [`the ledger has only ${used} of ${included} units that are all taken`] : []),
  ];
}

/** How often the customer was told that the allowance is exhausted. */
export const exhaustedTimes = (operations: readonly Operation[]): number =>
  attemptsOf(operations.filter(ofKinds('tight'))).filter(({ status }) => status === 402).length;

export const usedOf = (charges: readonly LedgerCharge[]): number =>
  charges.reduce((sum, { units }) => sum + units.lookupCached, 0);
