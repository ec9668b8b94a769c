import { type Units, unitKeys } from '@shopscope/proto';

/** The members of `$inc` for `field`; units that do not change are absent. */
export function increments(field: string, units: Units): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const unit of unitKeys) if (units[unit] !== 0) changes[`${field}.${unit}`] = units[unit];
  return changes;
}
