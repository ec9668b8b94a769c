import { type Customers, scarceOf } from '../clients/customers.ts';
import { sleep } from '../wait.ts';
import type { AllowanceRecord, Databases } from './databases.ts';

export type AllowanceSamples = Awaited<ReturnType<ReturnType<typeof sampleAllowances>['stop']>>;

/** One sample of the leases. */
export interface LentSample {
  /** The start of the sample on the bench's monotonic clock. */
  startMs: number;
  /** The ids of the leases that have unspent look-ups, by workspace, according to what gateways have reported and the ledger has settled. */
  unspent: ReadonlyMap<string, readonly string[]>;
}

const everyMs = 200;
/** If nothing fails, the events of a lease are in the ledger this long after the end of the lease. */
const strandedAfterMs = 5_000;

/**
 * Returns the leases with unspent look-ups, and the number of stranded units. Only look-ups count as unspent, because a small allowance is
 * small in look-ups, so only a lease of look-ups can make a 402 premature. Units of any kind are stranded if a lease holds them long after
 * its end.
 */
export function lentBy(allowances: ReadonlyMap<string, Pick<AllowanceRecord, 'leases'>>, nowMs: number) {
  const unspent = new Map<string, string[]>();
  let stranded = 0;
  for (const [id, { leases }] of allowances) {
    for (const { id: lease, unit, endsAtMs, granted, spent, settled } of leases) {
      const isUnspent = unit === 'lookupCached' && granted > Math.max(spent, settled);
      if (isUnspent) unspent.set(id, [...(unspent.get(id) ?? []), lease]);
      if (endsAtMs + strandedAfterMs < nowMs) stranded += granted - settled;
    }
  }
  return { unspent, stranded };
}

/**
 * Reads repeatedly the taken look-ups of each small allowance, the sum of its ledger, and its leases. In no sample may the taken or used
 * look-ups exceed the allowance. MongoDB is unavailable -> the sample is skipped.
 */
export function sampleAllowances(databases: Databases, customers: Customers) {
  const limited = [customers.smallAllowance, ...scarceOf(customers)];
  const ids = limited.map(({ workspaceId }) => workspaceId);
  const mostTaken = new Map<string, number>();
  const mostUsed = new Map<string, number>();
  const lent: LentSample[] = [];
  let mostStranded = 0;
  let stopped = false;
  let samples = 0;
  const sample = async () => {
    const startMs = performance.now();
    const [allowances, used] = await Promise.all([databases.allowancesOf(ids), databases.usedBy(ids)]);
    samples += 1;
    for (const id of ids) {
      mostTaken.set(id, Math.max(mostTaken.get(id) ?? 0, allowances.get(id)?.taken.lookupCached ?? 0));
      mostUsed.set(id, Math.max(mostUsed.get(id) ?? 0, used.get(id)?.lookupCached ?? 0));
    }
    const { unspent, stranded } = lentBy(allowances, Date.now());
    mostStranded = Math.max(mostStranded, stranded);
    // A sample without unspent units is kept too, because it shows that no lease held units between two other samples.
    lent.push({ startMs, unspent });
  };
  const loop = (async () => {
    while (!stopped) {
      await sample().catch(() => {});
      await sleep(everyMs);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await loop;
      const problems = limited.flatMap(({ workspaceId, included }) => {
        const taken = mostTaken.get(workspaceId) ?? 0;
        const used = mostUsed.get(workspaceId) ?? 0;
        return [
          ...(taken > included ? [`${taken} of ${included} units were taken`] : []),
          ...(used > included ? [`${used} of ${included} units were in the ledger`] : []),
        ];
      });
      return {
        samples,
        problems,
        lent,
        /** The maximum number of taken units of the customer `smallAllowance` in any sample. */
        most: mostTaken.get(customers.smallAllowance.workspaceId) ?? 0,
        /** The maximum number of units that leases held later than 5 s after their end. */
        mostStranded,
      };
    },
  };
}
