import type { Tx } from '@shopscope/mongo';
import { allowanceKey, type UsageEvent } from '../domain/fold.ts';
import { leaseCountKey } from '../domain/lease.ts';
import type { Dependencies } from './dependencies.ts';

const leaseKeyOf = ({ workspaceId, periodStartMs, leaseId }: UsageEvent): string =>
  leaseCountKey(allowanceKey(workspaceId, periodStartMs), leaseId);

/**
 * What the leases of the events hold, by {@link leaseKeyOf}: granted and not settled. An event beyond it is late: its lease is
 * closed, or a restored database has the lease as it was before later grants.
 */
export async function heldUnits(
  deps: Dependencies,
  events: readonly UsageEvent[],
  tx: Tx,
): Promise<Map<string, number>> {
  const leased = events.filter(({ leaseId }) => leaseId !== '');
  if (leased.length === 0) return new Map();
  const keys = [...new Set(leased.map(leaseKeyOf))];
  const ids = leased.map(({ workspaceId, periodStartMs }) => allowanceKey(workspaceId, periodStartMs));
  const counts = await deps.leaseCounts.findMany(keys, tx);
  const allowances = await deps.leases.findMany([...new Set(ids)], tx);
  const granted = new Map(
    [...allowances.values()].flatMap(({ id, leases }) =>
      leases.map((lease) => [leaseCountKey(id, lease.id), lease.granted] as const),
    ),
  );
  return new Map(
    keys.map((key) => {
      const count = counts.get(key);
      return [key, count?.isClosed ? 0 : Math.max(0, (granted.get(key) ?? 0) - (count?.settled ?? 0))];
    }),
  );
}

/** Takes the units of an event from what its lease holds. False when the lease does not hold them. */
export function takeHeld(held: Map<string, number>, event: UsageEvent): boolean {
  const key = leaseKeyOf(event);
  const left = (held.get(key) ?? 0) - event.units.lookupCached;
  if (left < 0) return false;
  held.set(key, left);
  return true;
}
