import { isUnknown, type Operation, resultOf, type Units } from '../clients/history.ts';
import type { LedgerCharge } from './databases.ts';

/**
 * billed = ledger: under every key, what answers said they billed stands in the ledger, charge for charge, and nothing
 * else does, except what went unanswered without an Idempotency-Key and may or may not have been carried out.
 */
export function compareBilling(operations: readonly Operation[], charges: readonly LedgerCharge[]): string[] {
  const problems: string[] = [];
  for (const { chargeId, counted } of charges) {
    if (counted > 1) problems.push(`charge ${chargeId} counts ${counted} times`);
  }
  for (const keyId of new Set([...operations, ...charges].map((entry) => entry.keyId))) {
    const mine = operations.filter((operation) => operation.keyId === keyId);
    const billed = mine.flatMap((operation) => {
      const result = resultOf(operation);
      return result?.outcome === 'ok' ? [result.billed] : [];
    });
    const perhaps = mine.filter(isUnknown).map(({ mayBill }) => mayBill);
    const ledger = charges.filter((charge) => charge.keyId === keyId).map(({ units }) => units);
    problems.push(
      ...compareBags(count(billed), count(perhaps), count(ledger)).map((problem) => `${keyId}: ${problem}`),
    );
  }
  return problems;
}

type Bag = Map<string, number>;

/** How often each amount of units occurs; nothing billed does not count. */
function count(amounts: readonly Units[]): Bag {
  const bag: Bag = new Map();
  for (const { lookupCached, lookupLive } of amounts) {
    if (lookupCached === 0 && lookupLive === 0) continue;
    const name = `${lookupCached} look-ups and ${lookupLive} scans`;
    bag.set(name, (bag.get(name) ?? 0) + 1);
  }
  return bag;
}

function compareBags(billed: Bag, perhaps: Bag, ledger: Bag): string[] {
  return [...new Set([...billed.keys(), ...ledger.keys()])].flatMap((amount) => {
    const [said, maybe, recorded] = [billed, perhaps, ledger].map((bag) => bag.get(amount) ?? 0) as [
      number,
      number,
      number,
    ];
    if (recorded < said) return [`billed ${amount} ${said} times, in the ledger ${recorded} times`];
    if (recorded > said + maybe) {
      return [`in the ledger ${amount} ${recorded} times, billed ${said} times (and ${maybe} unanswered)`];
    }
    return [];
  });
}

/**
 * One execution per Idempotency-Key: every success under it bills the same and, unless the kept answers were lost with
 * Redis, names the same jobs. Without the kept answer a retry says what it billed, and finds scans that it had joined ended.
 */
export function compareAnswers(operations: readonly Operation[], { areKept }: { areKept: boolean }): string[] {
  return operations.flatMap(({ id, attempts }) => {
    const answers = attempts.filter(({ outcome }) => outcome === 'ok');
    const distinct = new Set(answers.map(({ billed, jobs }) => JSON.stringify(areKept ? [billed, jobs] : billed)));
    return distinct.size > 1
      ? [`operation ${id} was answered in ${distinct.size} ways: ${[...distinct].join(' and ')}`]
      : [];
  });
}

/** What the ledger adds up to, by key. */
export function usageByKey(charges: readonly LedgerCharge[]): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { keyId, units } of charges) {
    const sum = sums.get(keyId) ?? { lookupCached: 0, lookupLive: 0 };
    sum.lookupCached += units.lookupCached;
    sum.lookupLive += units.lookupLive;
    sums.set(keyId, sum);
  }
  return sums;
}
