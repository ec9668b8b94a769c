import type { StoreFacts } from '../src/document/facts.ts';
import { isNotJudged, type ModelContext, matches, type SentWhere } from './model.ts';

/** The counts of a plain model. Tests compare them with the counts of the engine. */
export interface ModelCount {
  total: number;
  notJudged: number;
  /** The values of each field, with their stores. */
  facets: Record<string, Record<string, number>>;
}

type ValuesOf = (facts: StoreFacts) => readonly string[];

const fields: Record<string, ValuesOf> = {
  platform: ({ body }) => [body.platform.slug],
  country: ({ body }) => [body.geography.country],
  industry: ({ body }) => [body.industry.slug],
  status: ({ body }) => [body.status.state],
  technology: ({ body }) => body.technologies.map(({ slug }) => slug),
  category: ({ body }) => [...new Set(body.technologies.map(({ category }) => category))],
  'technology:category=email': ({ body }) =>
    body.technologies.filter(({ category }) => category === 'email').map(({ slug }) => slug),
};

export function modelCount(corpus: readonly StoreFacts[], where: SentWhere, context: ModelContext): ModelCount {
  const found = corpus.filter((facts) => matches(facts, where, context));
  return {
    total: found.length,
    notJudged: corpus.filter((facts) => isNotJudged(facts, where, context)).length,
    facets: Object.fromEntries(Object.entries(fields).map(([field, valuesOf]) => [field, countsOf(found, valuesOf)])),
  };
}

function countsOf(found: readonly StoreFacts[], valuesOf: ValuesOf): Record<string, number> {
  const values = found.flatMap(valuesOf);
  return Object.fromEntries(
    [...new Set(values)].sort().map((value) => [value, values.filter((each) => each === value).length]),
  );
}
