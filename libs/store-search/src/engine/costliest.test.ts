import { installStates } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { searchBody } from '../language/bodies.ts';
import { maxClauses, maxGroups, maxLeaves, maxSlugs, maxValues } from '../language/bounds.ts';
import { storeQueryOf } from '../language/normalize.ts';
import { createVocabulary } from '../language/vocabulary.ts';
import { rowsRequest } from './rows.ts';
import { leavesOf } from './types.ts';

/** The costliest queries that the language allows. */
const many = (name: string, length: number) => Array.from({ length }, (_, at) => `${name}-${at}`);
const vocabulary = createVocabulary({
  technologies: [
    ...many('app', 50).map((slug, at) => ({ slug, category: `group-${at}`, kind: 'app' })),
    ...many('platform', 50).map((slug) => ({ slug, category: 'ecommerce', kind: 'platform' })),
  ],
  countries: many('', 0),
  industries: many('industry', 50),
  presentSlug: (slug) => slug,
});

const dates = { first_observed: { from: '2026-01-01T00:00:00Z' }, since_known: false };
const states = { install_state: installStates, confidence_min: 'low' };
const bySlugs = (offset: number) => ({ any: many('app', 50).slice(offset, offset + maxSlugs), ...dates, ...states });
const byGroups = (offset: number) => ({
  any: { category: many('group', 50).slice(offset, offset + maxGroups) },
  ...dates,
  ...states,
});
const everythingElse = {
  platform: { any: many('platform', maxValues), none: many('platform', maxValues) },
  industry: { any: many('industry', maxValues), none: many('industry', maxValues) },
  moved: { from_platform: many('platform', 50), to_platform: many('platform', 4) },
  products: { min: 0, max: 1_000 },
  last_completed_scan: { from: '2026-01-01T00:00:00Z' },
};

it.each([
  ['slugs with dates and states', bySlugs],
  ['categories with dates and states', byGroups],
])(
  'eight clauses of %s, beside everything else that the language has, stay below the bound of the engine',
  (_, clause) => {
    const technologies = Array.from({ length: maxClauses }, (_each, at) => clause(at));
    const { where, sort } = searchBody.parse({ where: { ...everythingElse, technologies } });
    const query = storeQueryOf({ where, sort }, vocabulary);
    expect(query.where.technologies).toHaveLength(maxClauses);
    const leaves = leavesOf(rowsRequest(query, {}, { limit: 200 }).query);
    expect(leaves).toBeGreaterThan(800);
    expect(leaves).toBeLessThan(maxLeaves);
  },
);
