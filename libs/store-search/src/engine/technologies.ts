import { allowedStates, dayKeywords, everyState, groupName, stateKeyword } from '../document/keywords.ts';
import type { DayRange } from '../language/days.ts';
import type { TechnologyClause, TechnologyConditions } from '../query.ts';
import { allOf, anyOf, type EngineQuery, noneOf } from './types.ts';

/** The engine's query of a clause of `technologies`. For `none` it is the query of stores that do not show such an entry. */
export function technologiesQuery({ quantifier, selected, ...conditions }: TechnologyClause): EngineQuery {
  const { by, values } = selected;
  if (quantifier === 'all') return allOf(values.map((slug) => bySlugs([slug], conditions)));
  const any = by === 'slug' ? bySlugs(values, conditions) : byGroups(by, values, conditions);
  return quantifier === 'any' ? any : noneOf([any]);
}

/** The store has an entry of one of the slugs that fits. */
function bySlugs(slugs: readonly string[], conditions: TechnologyConditions): EngineQuery {
  const states = allowedStates(conditions);
  const { first_observed: range } = conditions;
  const inStates = (some: readonly string[]): EngineQuery => ({
    terms: { tech_state: some.flatMap((slug) => (states ?? []).map((each) => stateKeyword(slug, ...each))) },
  });
  if (!range) return states ? inStates(slugs) : { terms: { tech: slugs } };
  const within = (some: readonly string[]) =>
    anyOf([
      ...some.map((slug): EngineQuery => ({ range: { tech_since: dayKeywords(slug, range) } })),
      ...(conditions.includes_first_scan ? [allOf([{ terms: { tech_first: some } }, firstScan(range)])] : []),
    ]);
  // The keywords of one slug are of one entry.
  return states ? anyOf(slugs.map((slug) => allOf([inStates([slug]), within([slug])]))) : within(slugs);
}

/** The store has an entry of one of the categories or kinds that fits. */
function byGroups(by: 'category' | 'kind', values: readonly string[], conditions: TechnologyConditions): EngineQuery {
  const states = allowedStates(conditions);
  const { first_observed: range } = conditions;
  if (!range && !states) return { terms: { [by]: values } };
  const keywords = values.flatMap((value) =>
    (states ?? everyState).map((each) => stateKeyword(groupName(by, value), ...each)),
  );
  if (!range) return { terms: { group_state: keywords } };
  return anyOf([
    ...keywords.map((keyword): EngineQuery => ({ range: { group_since: dayKeywords(keyword, range) } })),
    ...(conditions.includes_first_scan ? [allOf([{ terms: { group_first: keywords } }, firstScan(range)])] : []),
  ]);
}

/** The day of an entry of the first scan is the day of that scan. */
const firstScan = ({ from, to }: DayRange): EngineQuery => ({
  range: { first_scan_day: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) } },
});
