import type { Units } from '../gen/shopscope/common/v1/common.ts';

export type UnitKey = keyof Units;

/** The names of the billing units in the public contract. */
export const unitNames = {
  lookupCached: 'lookup_cached',
  lookupLive: 'lookup_live',
  historyQuery: 'history_query',
  refreshRequested: 'refresh_requested',
} as const satisfies Readonly<Record<UnitKey, string>>;

export const unitKeys = Object.keys(unitNames) as UnitKey[];

export const noUnits: Units = Object.freeze({ lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 });

export const unitsOf = (partial: Partial<Units> | null | undefined): Units => ({ ...noUnits, ...partial });

export const isZero = ({ lookupCached, lookupLive, historyQuery, refreshRequested }: Units): boolean =>
  lookupCached === 0 && lookupLive === 0 && historyQuery === 0 && refreshRequested === 0;

/** The units that leases lend. */
export const leasableUnits = ['lookupCached', 'historyQuery'] as const satisfies readonly UnitKey[];
export type LeasableUnit = (typeof leasableUnits)[number];

/** The units that a charge of a lease bills: an amount of one leasable unit. */
export interface LeasedAmount {
  unit: LeasableUnit;
  amount: number;
}

/** Returns undefined if the units are zero, or include other units than one leasable unit. */
export function leasedOf(units: Units): LeasedAmount | undefined {
  const unit = leasableUnits.find((key) => units[key] !== 0);
  return unit && isZero({ ...units, [unit]: 0 }) ? { unit, amount: units[unit] } : undefined;
}
