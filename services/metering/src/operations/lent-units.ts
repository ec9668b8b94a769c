import type { Tx } from '@shopscope/mongo';
import { allowanceKey } from '../domain/fold.ts';
import { leaseCountKey } from '../domain/lease.ts';
import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';

export interface Lent {
  /** lookup_cached units that leases hold and the ledger has not settled: part of the allowance taken. */
  unsettled: number;
  /** Those that may return: as far as is known, they are neither settled nor spent. */
  unspent: number;
  /** When the last lease ends, by MongoDB's clock. 0 without a lease. */
  endsAtMs: number;
}

/** What the leases of an allowance hold, in one snapshot. */
export async function lentUnits(deps: Dependencies, { workspaceId, periodStartMs }: PeriodOf, tx: Tx): Promise<Lent> {
  const id = allowanceKey(workspaceId, periodStartMs);
  const leases = (await deps.leases.findMany([id], tx)).get(id)?.leases ?? [];
  const counts = await deps.leaseCounts.findMany(
    leases.map((lease) => leaseCountKey(id, lease.id)),
    tx,
  );
  return leases.reduce(
    (lent, lease) => {
      const settled = counts.get(leaseCountKey(id, lease.id))?.settled ?? 0;
      return {
        unsettled: lent.unsettled + lease.granted - settled,
        unspent: lent.unspent + Math.max(0, lease.granted - Math.max(settled, lease.spent)),
        endsAtMs: Math.max(lent.endsAtMs, lease.endsAt.getTime()),
      };
    },
    { unsettled: 0, unspent: 0, endsAtMs: 0 },
  );
}
