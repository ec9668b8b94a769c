import type { LimitedCustomer } from '../clients/customers.ts';
import { isUnknown, type Operation } from '../clients/history.ts';
import type { BilledCharge, Holder } from './databases.ts';
import type { LentSample } from './sampler.ts';
import { attemptsOf, isLent } from './timeline.ts';

/** How a workspace with a small allowance ended. */
export interface Sold {
  customer: LimitedCustomer;
  operations: readonly Operation[];
  charges: readonly BilledCharge[];
  /** Charges that hold or held units, with the instant from which they did. */
  holders: readonly Holder[];
}

/** Samples are this far apart, or a little more. */
const sampleSlackMs = 600;

/**
 * No 402 while a unit is merely lent. A 402 is premature in two cases:
 *
 * - Until its response, fewer charges had begun than the allowance has units. An operation without a response may have one more.
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

/** Demand exceeds each small allowance, so in the end exactly the included units are sold. */
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

/** How many requests were refused because the allowance was exhausted, and because its rest was lent. */
export const refusedTimes = (operations: readonly Operation[]) => ({
  exhausted: attemptsOf(operations).filter(({ status }) => status === 402).length,
  lent: attemptsOf(operations).filter(isLent).length,
});
