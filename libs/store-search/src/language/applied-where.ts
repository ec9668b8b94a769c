import type { DroppedClause, Selected, StoreQuery, TechnologyClause, TechnologyConditions } from '../query.ts';
import { type DayRange, timeOf } from './days.ts';

/**
 * Returns the `where` that an answer repeats: the request with its defaults, present slugs, and times as whole days. A request with it is the same
 * query, and needs no further scope.
 */
export function appliedWhere({ where }: StoreQuery): Record<string, unknown> {
  const { technologies, dropped, moved, last_completed_scan: lastScan, ...others } = where;
  return {
    ...others,
    technologies: technologies.map(technologyOf),
    ...(dropped.length > 0 && { dropped: dropped.map(droppedOf) }),
    ...(moved && { moved: { ...moved, ...timesOf('effective', moved.effective) } }),
    ...timesOf('last_completed_scan', lastScan),
  };
}

const technologyOf = ({ quantifier, selected, includes_first_scan, ...conditions }: TechnologyClause) => ({
  [quantifier]: selectionOf(selected),
  ...conditions,
  ...timesOf('first_observed', conditions.first_observed),
  ...sinceKnown(conditions, includes_first_scan),
});

const sinceKnown = (
  { first_observed }: Pick<TechnologyConditions, 'first_observed'>,
  includesFirstScan: boolean,
): { since_known?: boolean } => (first_observed ? { since_known: !includesFirstScan } : {});

const droppedOf = ({ quantifier, selected, effective }: DroppedClause) => ({
  [quantifier]: selectionOf(selected),
  ...timesOf('effective', effective),
});

const selectionOf = ({ by, values }: Selected) => (by === 'slug' ? values : { [by]: values });

function timesOf(name: string, range: DayRange | undefined) {
  if (!range) return {};
  const { from, to } = range;
  const times = {
    ...(from !== undefined && { from: timeOf(from) }),
    ...(to !== undefined && { to: timeOf(to) }),
  };
  return { [name]: times };
}
