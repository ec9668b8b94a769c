import { type Drop, type Entry, productCountOf, type StoreFacts } from '../document/facts.ts';
import { allowedStates } from '../document/keywords.ts';
import { clipped } from '../engine/changes.ts';
import { type Day, type DayRange, dayOf } from '../language/days.ts';
import {
  type DroppedClause,
  isPositive,
  type MovedFilter,
  type Selected,
  type StoreFilter,
  type StoreQuery,
  type TechnologyClause,
  type ValueFilter,
} from '../query.ts';

/** A query over the facts of one store: which entries fit a clause, and whether the store still matches. Lists are not judged. */

export interface KnownStore {
  facts: StoreFacts;
  entries: readonly Entry[];
  drops: readonly Drop[];
}

export function storeFits({ facts, entries, drops }: KnownStore, { where }: StoreQuery, windowFrom: Day): boolean {
  const { body } = facts;
  return (
    fitsValues(where.platform, body.platform.slug) &&
    fitsValues(where.country, body.geography.country) &&
    fitsValues(where.industry, body.industry.slug) &&
    fitsValues(where.status, body.status.state) &&
    where.technologies.every((clause) => fitsClause(clause, entries, entryFits(clause))) &&
    (body.observation.scope === 'full' || where.technologies.every(isPositive)) &&
    where.dropped.every((clause) => fitsClause(clause, drops, dropFits(clause, windowFrom))) &&
    fitsMoved(where.moved, facts, windowFrom) &&
    fitsProducts(where.products, productCountOf(body)) &&
    isWithin(dayOf(Date.parse(body.observation.last_completed_scan_at)), where.last_completed_scan ?? {})
  );
}

/** Whether an entry is selected by the clause and fulfils its conditions. */
export function entryFits({ selected, first_observed: range, ...conditions }: TechnologyClause) {
  const states = allowedStates(conditions);
  return (entry: Entry): boolean =>
    isSelected(selected, entry) &&
    (!states ||
      states.some(([state, confidence]) => state === entry.installState && confidence === entry.confidence)) &&
    (!range || ((conditions.includes_first_scan || !entry.isOfFirstScan) && isWithin(entry.firstObservedDay, range)));
}

export function dropFits({ selected, effective }: DroppedClause, windowFrom: Day) {
  const range = clipped(effective, windowFrom);
  return (drop: Drop): boolean => isSelected(selected, drop) && isWithin(drop.effectiveDay, range);
}

function fitsClause<Each extends Entry | Drop>(
  { quantifier, selected }: TechnologyClause | DroppedClause,
  entries: readonly Each[],
  fits: (entry: Each) => boolean,
): boolean {
  if (quantifier === 'all')
    return selected.values.every((slug) => entries.some((each) => each.slug === slug && fits(each)));
  return entries.some(fits) === (quantifier === 'any');
}

function isSelected({ by, values }: Selected, entry: Pick<Entry | Drop, Selected['by']>): boolean {
  const value = entry[by];
  return value !== undefined && values.includes(value);
}

function fitsMoved(filter: MovedFilter | undefined, { moved }: StoreFacts, windowFrom: Day): boolean {
  if (!filter) return true;
  const range = clipped(filter.effective, windowFrom);
  return moved.some(
    ({ from, to, effectiveAtMs }) =>
      (filter.from_platform?.includes(from) ?? true) &&
      (filter.to_platform?.includes(to) ?? true) &&
      isWithin(dayOf(effectiveAtMs), range),
  );
}

const fitsValues = (filter: ValueFilter | undefined, value: string): boolean =>
  (filter?.any?.includes(value) ?? true) && !(filter?.none?.includes(value) ?? false);

const fitsProducts = (filter: StoreFilter['products'], count: number | undefined): boolean =>
  !filter || (count !== undefined && count >= (filter.min ?? 0) && count <= (filter.max ?? Number.POSITIVE_INFINITY));

const isWithin = (day: Day, { from, to }: DayRange): boolean =>
  day >= (from ?? 0) && day <= (to ?? Number.POSITIVE_INFINITY);
