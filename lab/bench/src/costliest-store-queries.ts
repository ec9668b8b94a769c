import { installStates } from '@shopscope/proto';
import { maxListedStores } from '@shopscope/store-search';
import { generatedDomain, storeValues } from './generated-stores.ts';
import { searchVocabulary } from './search-vocabulary.ts';

/** A call of search that costs as much as the language allows. */
export interface CostlyCall {
  name: string;
  where: object;
  /** The facets of a count. A call without them is a page of 200. */
  facets?: readonly string[];
  facetSize?: number;
  lists?: { listId: string; domains: string[] }[];
}

const clauses = 8;
const slugsOfClause = 20;
const groupsOfClause = 10;
const anyState = { install_state: [...installStates], confidence_min: 'low' };
const anyTime = { first_observed: { from: '2020-01-01T00:00:00Z' }, since_known: false };
const someTime = { first_observed: { from: '2020-01-01T00:00:00Z' } };

/** Each clause has other technologies, and the first clause has the most frequent ones. */
const bySlugs = (at: number) => ({
  any: storeValues.technology.slice(at, at + slugsOfClause),
  ...anyTime,
  ...anyState,
});
/** The categories with most technologies first. */
const categories = [...new Set(storeValues.technology.map((slug) => searchVocabulary.categoryOf(slug) ?? ''))].toSorted(
  (a, b) => searchVocabulary.slugsOf(b).length - searchVocabulary.slugsOf(a).length,
);
const byCategories = (at: number) => ({
  any: { category: categories.slice(at, at + groupsOfClause) },
  ...anyTime,
  ...anyState,
});

const every = (clause: (at: number) => object) => Array.from({ length: clauses }, (_, at) => clause(at));
const everything = {
  platform: { any: storeValues.platform.slice(0, 50), none: storeValues.platform.slice(-50) },
  country: { any: storeValues.country.slice(0, 50), none: storeValues.country.slice(-50) },
  products: { min: 0, max: 10_000_000 },
  last_completed_scan: { from: '2020-01-01T00:00:00Z' },
};
const facets = ['platform', 'country', 'industry', 'status', 'technology', 'category'] as const;
const everyFacet = [...facets, `technology:category=${categories[0]}`, 'first_observed_month'];

/** The costliest calls, in the forms of libs/store-search/src/engine/costliest.test.ts with real values. */
export const costliestCalls: readonly CostlyCall[] = [
  { name: 'page of 200, eight clauses of slugs', where: { ...everything, technologies: every(bySlugs) } },
  { name: 'page of 200, eight clauses of categories', where: { ...everything, technologies: every(byCategories) } },
  {
    name: 'page of 200, 200 pairs of platforms',
    where: {
      ...everything,
      technologies: every(byCategories),
      moved: { from_platform: storeValues.platform.slice(0, 50), to_platform: storeValues.platform.slice(0, 4) },
    },
  },
  {
    name: 'count, eight facets, eight clauses of categories',
    where: { ...everything, technologies: every(byCategories) },
    facets: everyFacet.slice(0, 7),
    facetSize: 100,
  },
  {
    name: 'count, eight facets with months of a clause',
    where: {
      status: { none: ['not_a_storefront'] },
      technologies: [{ ...bySlugs(0), ...someTime, since_known: true }],
    },
    facets: everyFacet,
    // The language allows no more months with these clauses.
    facetSize: 50,
  },
  {
    name: 'count, eight facets, of a list of 50,000',
    where: { list: { any: ['lst_bench'] }, technologies: every(byCategories) },
    facets: everyFacet.slice(0, 7),
    facetSize: 100,
    lists: [{ listId: 'lst_bench', domains: Array.from({ length: maxListedStores }, (_, n) => generatedDomain(n)) }],
  },
];
