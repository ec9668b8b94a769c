import { dayKeywords, groupName, moveName } from '../document/keywords.ts';
import type { Day, DayRange } from '../language/days.ts';
import type { DroppedClause, MovedFilter } from '../query.ts';
import { allOf, anyOf, type EngineQuery, noneOf } from './types.ts';

/** The engine's queries of `dropped` and `moved`. `windowFrom` is the first day that the plan shows. */

export const clipped = (range: DayRange | undefined, windowFrom: Day): DayRange => ({
  ...range,
  from: Math.max(range?.from ?? windowFrom, windowFrom),
});

export function droppedQuery({ quantifier, selected, effective }: DroppedClause, windowFrom: Day): EngineQuery {
  const range = clipped(effective, windowFrom);
  const { by, values } = selected;
  const each = values.map(
    (value): EngineQuery =>
      by === 'slug'
        ? { range: { dropped: dayKeywords(value, range) } }
        : { range: { dropped_group: dayKeywords(groupName(by, value), range) } },
  );
  if (quantifier === 'all') return allOf(each);
  return quantifier === 'any' ? anyOf(each) : noneOf(each);
}

/** Returns the query of stores with one change that fulfils all members of the filter. */
export function movedQuery(
  { from_platform: from, to_platform: to, effective }: MovedFilter,
  windowFrom: Day,
): EngineQuery {
  const range = clipped(effective, windowFrom);
  if (from && to)
    return anyOf(
      from.flatMap((left) =>
        to.map((right): EngineQuery => ({ range: { moved: dayKeywords(moveName(left, right), range) } })),
      ),
    );
  if (from) return anyOf(from.map((slug) => ({ range: { moved_from: dayKeywords(slug, range) } })));
  if (to) return anyOf(to.map((slug) => ({ range: { moved_to: dayKeywords(slug, range) } })));
  return {
    range: {
      moved_day: {
        ...(range.from !== undefined && { gte: range.from }),
        ...(range.to !== undefined && { lte: range.to }),
      },
    },
  };
}
