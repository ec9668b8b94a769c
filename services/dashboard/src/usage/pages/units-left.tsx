import { formatNumber, resetTime } from '../../app/components/formats.ts';
import type { UnitName } from '../domain/units.ts';
import type { Allowance } from './load-units.ts';
import { unitNamed } from './units.ts';

/** A sentence with the number of units of a kind that are left. */
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
