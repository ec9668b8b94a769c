import type { LimitedCustomer } from '../clients/customers.ts';
import { isUnknown, type Operation } from '../clients/history.ts';
import type { BilledCharge, Holder } from './databases.ts';
import type { LentSample } from './sampler.ts';
import { attemptsOf, isLent } from './timeline.ts';

/** The state of a workspace with a small allowance at the end of the run. */
export interface Sold {
  customer: LimitedCustomer;
  operations: readonly Operation[];
  charges: readonly BilledCharge[];
  /** The charges that hold or held units, each with the instant from which it holds them. */
  holders: readonly Holder[];
}

/** The samples before and after a refused request may lie this much further apart than the request took. */
const sampleSlackMs = 600;

/**
 * Checks that no request gets 402 while a unit is merely lent. A 402 is premature in two cases:
 *
 * - Fewer charges had begun before the response than the allowance has units. Each operation without a response counts as a possible charge.
 * - The same lease had unspent units before the request and after its response.
 */
export function checkPrematureRefusals(
  { customer, operations, holders }: Sold,
  samples: readonly LentSample[],
): string[] {
  const { included, workspaceId } = customer;
  return attemptsOf(operations)
    .filter(({ status }) => status === 402)
    .flatMap((refused) => {
      const atMs = refused.endMs + refused.wallOffsetMs;
      const held = holders.filter(({ sinceMs }) => sinceMs <= atMs).length;
      const possible = operations.filter(
        (operation) => isUnknown(operation) && operation.attempts.some(({ startMs }) => startMs < refused.endMs),
      ).length;
      if (held + possible < included) return [`402 when ${held} of ${included} units were sold or reserved`];
      const before = samples.findLast(({ startMs }) => startMs <= refused.startMs);
      const after = samples.find(({ startMs }) => startMs >= refused.endMs);
      if (!before || !after || after.startMs - before.startMs > refused.endMs - refused.startMs + sampleSlackMs)
        return [];
      const stillLent = after.unspent.get(workspaceId) ?? [];
      const lease = (before.unspent.get(workspaceId) ?? []).find((id) => stillLent.includes(id));
      return lease ? [`402 while lease ${lease} held units that were not spent`] : [];
    });
}

/** Checks that exactly the included units are sold in the end, because the clients ask for more than each small allowance has. */
export function checkSold({ customer, operations, charges }: Sold): string[] {
  const { included, workspaceId } = customer;
  const used = charges.reduce((sum, { units }) => sum + units.lookupCached, 0);
  const billed = operations.filter(({ attempts }) => attempts.some(({ outcome }) => outcome === 'ok')).length;
  const unknown = operations.filter(isUnknown).length;
  return [
    ...(used === included ? [] : [`${workspaceId}: the ledger has ${used} of ${included} units`]),
    ...(billed <= included && billed + unknown >= included
      ? []
      : [`${workspaceId}: ${billed} requests of ${included} units were billed, and ${unknown} had no response`]),
  ];
}

/** Returns how many requests were refused because the allowance was exhausted, and because the rest of it was lent. */
export const refusedTimes = (operations: readonly Operation[]) => ({
  exhausted: attemptsOf(operations).filter(({ status }) => status === 402).length,
  lent: attemptsOf(operations).filter(isLent).length,
});
