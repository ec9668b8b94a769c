import { formatNumber } from '../../app/components/formats.ts';
import type { UnitCounts, UnitName } from '../domain/units.ts';

/** For example "1 cached look-up and 1 live look-up", or "nothing". Units that are not named are not billed. */
export function billedText(billed: { lookup_cached: number; lookup_live?: number; history_query?: number }): string {
  const parts = (['lookup_cached', 'lookup_live', 'history_query'] as const).flatMap((unit) => {
    const name = unitNamed(unit);
    const count = billed[unit] ?? 0;
    return count === 0 || !name ? [] : [`${formatNumber(count)} ${count === 1 ? name.one : name.noun}`];
  });
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}

/** The billing units with their labels on pages, in the order of /v1/usage. */
export const units: readonly { unit: UnitName; label: string; noun: string; one: string }[] = [
  { unit: 'lookup_cached', label: 'Cached look-ups', noun: 'cached look-ups', one: 'cached look-up' },
  { unit: 'lookup_live', label: 'Live look-ups', noun: 'live look-ups', one: 'live look-up' },
  { unit: 'history_query', label: 'History queries', noun: 'history queries', one: 'history query' },
  { unit: 'refresh_requested', label: 'Requested refreshes', noun: 'requested refreshes', one: 'requested refresh' },
];

export const unitNamed = (name: string | null) => units.find(({ unit }) => unit === name) ?? units[0];

export const totalOf = (counts: UnitCounts): number => units.reduce((sum, { unit }) => sum + counts[unit], 0);
