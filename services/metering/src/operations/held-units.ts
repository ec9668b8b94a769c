import type { Tx } from '@shopscope/mongo';
import { leasedOf, type UnitKey } from '@shopscope/proto';
import { allowanceKey, type UsageEvent } from '../domain/fold.ts';
import { leaseCountKey } from '../domain/lease.ts';
import type { AllowanceLimits } from '../domain/threshold.ts';
import type { Dependencies } from './dependencies.ts';

const leaseKeyOf = ({ workspaceId, periodStartMs, leaseId }: UsageEvent): string =>
  leaseCountKey(allowanceKey(workspaceId, periodStartMs), leaseId);

/** The units that a lease holds: granted and not settled. */
export interface Held {
  unit: UnitKey;
  left: number;
}

/**
 * Returns the units that the leases of the events hold, by {@link leaseKeyOf}. An event that exceeds them is late: its
 * lease is closed, or a restored database contains the lease as it was before later grants. `limits`: the read allowances.
 */
export async function heldUnits(
  deps: Dependencies,
  events: readonly UsageEvent[],
  tx: Tx,
): Promise<{ held: Map<string, Held>; limits: Map<string, AllowanceLimits> }> {
  const leased = events.filter(({ leaseId }) => leaseId !== '');
  if (leased.length === 0) return { held: new Map(), limits: new Map() };
  const keys = [...new Set(leased.map(leaseKeyOf))];
  const ids = leased.map(({ workspaceId, periodStartMs }) => allowanceKey(workspaceId, periodStartMs));
  const counts = await deps.leaseCounts.findMany(keys, tx);
  const allowances = await deps.leases.findMany([...new Set(ids)], tx);
  const wanted = new Set(keys);
  const held = new Map<string, Held>();
  for (const { id, leases } of allowances.values()) {
    for (const lease of leases) {
      const key = leaseCountKey(id, lease.id);
      const count = counts.get(key);
      if (!wanted.has(key) || count?.isClosed) continue;
      held.set(key, { unit: lease.unit, left: Math.max(0, lease.granted - (count?.settled ?? 0)) });
    }
  }
  return { held, limits: allowances };
}

/** Takes the units of an event from the units that its lease holds. Returns false if the lease does not hold them. */
export function takeHeld(held: ReadonlyMap<string, Held>, event: UsageEvent): boolean {
  const lease = held.get(leaseKeyOf(event));
  const leased = leasedOf(event.units);
  if (!lease || leased?.unit !== lease.unit || leased.amount > lease.left) return false;
  lease.left -= leased.amount;
  return true;
}
