import { type Units, unitKeys, unitsOf } from '@shopscope/proto';
import { dayName, dayStart } from '../../domain/day.ts';
import { daysWithUnits, type KeyUsage } from '../../domain/key-usage.ts';
import { nonZero } from '../../domain/units.ts';

// Members that documents of several collections have.

/** The members of `$inc` for `field`; units that do not change are absent. */
export function increments(field: string, units: Units): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const unit of unitKeys) if (units[unit] !== 0) changes[`${field}.${unit}`] = units[unit];
  return changes;
}

const stepMs = 60_000;

/**
 * The instant of a change, for the reconciler's search of changed periods: rounded up to the minute, so that no search after the
 * change misses it. Changes within one minute leave the index of these instants as it is.
 */
export const touchedAt = (nowMs: number): Date => new Date(Math.ceil(nowMs / stepMs) * stepMs);

type StoredDays = Record<string, Partial<Units>>;

/** Units by the name of their day, without zeros. {@link daysOf} is the inverse. */
export const daysToStore = (usage: Pick<KeyUsage, 'days'>): StoredDays =>
  Object.fromEntries(daysWithUnits(usage).map(([day, units]) => [dayName(day), nonZero(units)]));

/** A name that is no day can only come from a foreign write. It is left out, and goes with the next repair. */
export const daysOf = (stored: StoredDays = {}): Map<number, Units> =>
  new Map(
    Object.entries(stored)
      .map(([name, units]) => [dayStart(name), unitsOf(units)] as const)
      .filter(([day]) => !Number.isNaN(day)),
  );
