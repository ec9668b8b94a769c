import { formatNumber } from '../../app/components/number.tsx';
import { resetTime } from '../../app/components/period-text.ts';
import type { UnitName } from '../domain/units.ts';
import type { Allowance } from './load-units.ts';
import { unitNamed } from './units.ts';

/** How many units of a kind are left, in a sentence. */
export function UnitsLeft({ unit, allowance }: { unit: UnitName; allowance: Allowance }) {
  const { left, included, endMs } = allowance;
  const { noun } = unitNamed(unit) ?? { noun: unit };
  if (!left || !included) return <>How many {noun} are left is not known right now.</>;
  const isUsedUp = left[unit] === 0;
  return (
    <>
      <span className={isUsedUp ? 'text-danger' : ''}>
        <span className="amount">{formatNumber(left[unit])}</span> of{' '}
        <span className="amount">{formatNumber(included[unit])}</span> {noun} are left
      </span>
      , until {resetTime(endMs)}.
    </>
  );
}

/** For example "1 cached look-up and 1 live look-up", or "nothing". */
export function billedText(billed: { lookup_cached: number; lookup_live: number }): string {
  const parts = (['lookup_cached', 'lookup_live'] as const).flatMap((unit) => {
    const name = unitNamed(unit);
    const count = billed[unit];
    return count === 0 || !name ? [] : [`${formatNumber(count)} ${count === 1 ? name.one : name.noun}`];
  });
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}
