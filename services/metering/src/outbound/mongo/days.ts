import { type Units, unitsOf } from '@shopscope/proto';
import { dayName, dayStart } from '../../domain/day.ts';
import { daysWithUnits, type KeyUsage } from '../../domain/key-usage.ts';
import { nonZero } from '../../domain/units.ts';

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
