import { type Units, unitKeys, unitsOf } from '@shopscope/proto';
import type { Collection } from 'mongodb';
import { dayName, dayStart } from '../../domain/day.ts';
import { daysWithUnits, type KeyUsage } from '../../domain/key-usage.ts';
import { nonZero } from '../../domain/units.ts';

// Members that occur in documents of several collections.

/** Returns the members of `$inc` for `field`. Units that do not change are absent. */
export function increments(field: string, units: Units): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const unit of unitKeys) if (units[unit] !== 0) changes[`${field}.${unit}`] = units[unit];
  return changes;
}

/**
 * The hint of every command that finds documents by their ids. The filter also contains the workspace, which is the shard key. Without the
 * hint, MongoDB may choose the index of workspaces and read all documents of a workspace.
 */
export const idIndex = { _id: 1 } as const;

/**
 * Deletes at most `limit` documents of a workspace from a collection whose ids begin with the workspace and `/`. `isEmpty`: none is left.
 */
export async function deleteSomeById<Stored extends { _id: string }>(
  collection: Collection<Stored>,
  workspaceId: string,
  limit: number,
  maxTimeMS: number,
): Promise<{ deleted: number; isEmpty: boolean }> {
  const documents = collection as unknown as Collection<{ _id: string }>;
  const ofWorkspace = { _id: { $gte: `${workspaceId}/`, $lt: `${workspaceId}0` } };
  const found = await documents
    .find(ofWorkspace, { maxTimeMS, projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  if (found.length === 0) return { deleted: 0, isEmpty: true };
  const { deletedCount } = await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { maxTimeMS });
  return { deleted: deletedCount, isEmpty: found.length < limit };
}

const stepMs = 60_000;

/**
 * Returns the instant of a change, for the reconciler's search for changed periods. It is rounded up to the minute, so that no
 * search after the change misses it, and so that changes within one minute do not change the index of these instants.
 */
export const touchedAt = (nowMs: number): Date => new Date(Math.ceil(nowMs / stepMs) * stepMs);

type StoredDays = Record<string, Partial<Units>>;

/** Returns the units by the name of their day, without zeros. {@link daysOf} is the inverse. */
export const daysToStore = (usage: Pick<KeyUsage, 'days'>): StoredDays =>
  Object.fromEntries(daysWithUnits(usage).map(([day, units]) => [dayName(day), nonZero(units)]));

/** Leaves out a name that is not a day. It can only come from a foreign write, and the next repair removes it. */
export const daysOf = (stored: StoredDays = {}): Map<number, Units> =>
  new Map(
    Object.entries(stored)
      .map(([name, units]) => [dayStart(name), unitsOf(units)] as const)
      .filter(([day]) => !Number.isNaN(day)),
  );
