import { areEqual, isUnknown, noUnits, type Operation, resultOf, sumOf, type Units } from '../clients/history.ts';
import type { BilledCharge, RefundRecord } from './databases.ts';

/**
 * Checks that the ledger has, for every key, exactly the charges that responses reported as billed. An operation without a response and
 * without an Idempotency-Key may have a charge or none.
 */
export function compareBilling(operations: readonly Operation[], charges: readonly BilledCharge[]): string[] {
  const problems: string[] = [];
  for (const { chargeId, counted } of charges) {
    if (counted > 1) problems.push(`charge ${chargeId} counts ${counted} times`);
  }
  for (const keyId of new Set([...operations, ...charges].map((entry) => entry.keyId))) {
    const ofKey = operations.filter((operation) => operation.keyId === keyId);
    const billed = ofKey.flatMap((operation) => {
      const result = resultOf(operation);
      return result?.outcome === 'ok' ? [result.billed] : [];
    });
    // The response to an explicit scan does not say whether it joined a job, so compareScans compares its jobs with the charges.
    const possiblyBilled = ofKey.filter((one) => isUnknown(one) || one.kind === 'scan').map(({ mayBill }) => mayBill);
    const ledger = charges.filter((charge) => charge.keyId === keyId).map(({ units }) => units);
    problems.push(
      ...compareMultisets(count(billed), count(possiblyBilled), count(ledger)).map((problem) => `${keyId}: ${problem}`),
    );
  }
  return problems;
}

type Multiset = Map<string, number>;

/** Counts how often each amount of units occurs. Amounts without units are left out. */
function count(amounts: readonly Units[]): Multiset {
  const multiset: Multiset = new Map();
  for (const amount of amounts) {
    if (areEqual(amount, noUnits)) continue;
    const { lookupCached, lookupLive, refreshRequested = 0, historyQuery = 0 } = amount;
    const scans = `${lookupLive} scans, ${refreshRequested} requested refreshes`;
    const name = `${lookupCached} look-ups, ${scans} and ${historyQuery} history queries`;
    multiset.set(name, (multiset.get(name) ?? 0) + 1);
  }
  return multiset;
}

function compareMultisets(billed: Multiset, possiblyBilled: Multiset, ledger: Multiset): string[] {
  return [...new Set([...billed.keys(), ...ledger.keys()])].flatMap((amount) => {
    const [reported, possible, recorded] = [billed, possiblyBilled, ledger].map(
      (multiset) => multiset.get(amount) ?? 0,
    ) as [number, number, number];
    if (recorded < reported) return [`billed ${amount} ${reported} times, in the ledger ${recorded} times`];
    if (recorded > reported + possible) {
      return [
        `in the ledger ${amount} ${recorded} times, billed ${reported} times (and ${possible} without a response)`,
      ];
    }
    return [];
  });
}

/** Returns the sum of the ledger for each key. */
export function usageByKey(
  charges: readonly BilledCharge[],
  refunds: readonly RefundRecord[] = [],
): Map<string, Units> {
  const byKey = Map.groupBy([...charges, ...refunds], ({ keyId }) => keyId);
  return new Map(
    [...byKey].map(([keyId, amounts]) => [keyId, amounts.map(({ units }) => units).reduce(sumOf, noUnits)]),
  );
}
