import { invalidField } from '@shopscope/errors';
import { type Day, lastDay } from '../language/days.ts';
import { isPositive, type StoreQuery, type TechnologyClause } from '../query.ts';
import { clipped, droppedQuery } from './changes.ts';
import type { FacetContext, MonthsFacet } from './facet-plan.ts';
import { both, firstDayOf, lastDayOf, latestMonths, type Month, monthText } from './months.ts';
import { technologiesQuery } from './technologies.ts';
import { anyOf, type EngineQuery, leavesOf } from './types.ts';

/** The ranges of all months of a facet, each of which costs some of the engine's time. */
const maxMonthRanges = 2_000;
/** The first day that a facet can show. */
const earliestDay: Day = 20_100_101;

/**
 * The months in which an entry that fits a positive clause was observed first. Entries of the first scan have no month, because they may be
 * older. A clause with `all` fits only as a whole, and any of its technologies may have the month.
 */
export function firstObservedMonths(
  path: string,
  { where }: StoreQuery,
  { facetSize, today }: FacetContext,
): MonthsFacet {
  const clauses = where.technologies.filter(isPositive);
  if (clauses.length === 0)
    throw invalidField(path, 'must be sent with a clause of where.technologies that has all or any');
  const within = (from: Day, to: Day): EngineQuery =>
    anyOf(
      clauses.map(({ first_observed: range, ...clause }) =>
        technologiesQuery({
          ...clause,
          quantifier: 'any',
          first_observed: both(range ?? {}, { from, to }),
          includes_first_scan: false,
        }),
      ),
    );
  const months = latestMonths({ from: earliestDay, to: today }, facetSize);
  return { ...monthsFacet(path, months, within), field: 'first_observed_month', isSingle: nameOneSlug(clauses) };
}

/** The months of the removals that fit a positive clause. A technology may be dropped several times. */
export function droppedMonths(
  path: string,
  { where }: StoreQuery,
  { facetSize, today, windowFrom = 0 }: FacetContext,
): MonthsFacet {
  const clauses = where.dropped.filter(isPositive);
  if (clauses.length === 0) throw invalidField(path, 'must be sent with a clause of where.dropped that has all or any');
  const within = (from: Day, to: Day): EngineQuery =>
    anyOf(
      clauses.map(({ effective, ...clause }) =>
        droppedQuery({ ...clause, quantifier: 'any', effective: both(effective ?? {}, { from, to }) }, windowFrom),
      ),
    );
  const { from = earliestDay } = clipped({ from: earliestDay }, windowFrom);
  const months = latestMonths({ from, to: today }, facetSize);
  return { ...monthsFacet(path, months, within), field: 'dropped_month', isSingle: false };
}

function monthsFacet(path: string, months: readonly Month[], within: (from: Day, to: Day) => EngineQuery) {
  const dated = within(0, lastDay);
  const ranges = months.length * leavesOf(dated);
  if (ranges > maxMonthRanges) {
    const most = Math.floor((maxMonthRanges / ranges) * months.length);
    throw invalidField(path, `must have at most ${most} months with these clauses, so facet_size must be smaller`);
  }
  const byMonth = months.map((month) => [monthText(month), within(firstDayOf(month), lastDayOf(month))] as const);
  return { kind: 'months' as const, months: Object.fromEntries(byMonth), dated };
}

/** A store has one entry of a slug, so one month. */
function nameOneSlug(clauses: readonly TechnologyClause[]): boolean {
  const slugs = new Set(clauses.flatMap(({ selected: { values } }) => values));
  return clauses.every(({ selected }) => selected.by === 'slug') && slugs.size === 1;
}
