import { isZero, noUnits, type Units } from '@shopscope/proto';
import { add, atLeastZero, equal, subtract } from './units.ts';

/** The counted units of a key in a period. */
export interface KeyUsage {
  used: Units;
  /** The parts of `used`, by the first instant of their UTC day. */
  days: ReadonlyMap<number, Units>;
}

export const noUsage: KeyUsage = { used: noUnits, days: new Map() };

export function addUsage(a: KeyUsage, b: KeyUsage): KeyUsage {
  const days = new Map(a.days);
  for (const [day, units] of b.days) days.set(day, add(unitsOn(day, a), units));
  return { used: add(a.used, b.used), days };
}

/** Returns the days with units. A reversal may leave a day without units. */
export const daysWithUnits = ({ days }: Pick<KeyUsage, 'days'>): [number, Units][] =>
  [...days].filter(([, units]) => !isZero(units));

export const unitsOn = (day: number, { days }: Pick<KeyUsage, 'days'>): Units => days.get(day) ?? noUnits;

/** Returns the days on which `a` and `b` differ. */
export const differingDays = (a: KeyUsage, b: KeyUsage): number[] =>
  [...new Set([...a.days.keys(), ...b.days.keys()])].filter((day) => !equal(unitsOn(day, a), unitsOn(day, b)));

/** Returns the part of `used` that belongs to no recorded day. */
export const notRecorded = ({ used, days }: KeyUsage): Units =>
  atLeastZero(subtract(used, [...days.values()].reduce(add, noUnits)));
