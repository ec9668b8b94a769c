import { type ShownCount, shownCount } from '../src/answer/shown-count.ts';
import type { VersionedDocument } from '../src/document/document.ts';
import type { StoreFacts } from '../src/document/facts.ts';
import { countRequests, readCounts } from '../src/engine/count-requests.ts';
import { planFacets } from '../src/engine/facets.ts';
import { count } from '../src/engine/in-memory.ts';
import { parsedQuery } from './requests.ts';
import { vocabulary } from './vocabulary.ts';

/** A caller who wants to know a technology of one store without a look-up, and asks for counts. */
export interface Oracle {
  ask(where: object, facets?: readonly string[]): ShownCount;
  /** The counts that were asked for. They are free. */
  asked: number;
  lists: Map<string, readonly string[]>;
  /** What no caller sees. */
  exactTotalOf(where: object): number;
}

export function oracleOf(documents: readonly VersionedDocument[]): Oracle {
  const lists = new Map<string, readonly string[]>();
  const counted = (where: object, facets: readonly string[]) => {
    const query = parsedQuery({ where });
    const context = { lists, vocabulary, facetSize: 100, today: 20_261_130 };
    const plans = planFacets(facets, query, context);
    const responses = countRequests(query, context, plans).map((request) => count(documents, request));
    return readCounts(query, plans, responses);
  };
  return {
    asked: 0,
    lists,
    ask(where, facets = []) {
      this.asked += 1;
      return shownCount(counted(where, facets), { hasList: 'list' in where });
    },
    exactTotalOf: (where) => counted(where, []).total,
  };
}

/** What anyone sees of a store on its own pages: platform, country, industry and about how many products it has. */
export function knownOf({ body }: StoreFacts) {
  const min = Math.floor(body.catalog.product_count / 10) * 10;
  return {
    platform: body.platform.slug,
    country: body.geography.country,
    industry: body.industry.slug,
    /** With the store and without it: the difference is the stores with as many products. */
    withStore: { products: { min } },
    withoutStore: { products: { min: min + 10 } },
  };
}

/** How the caller narrows a count: each further step is either a value that all counts name, or a difference of two counts. */
const steps = ['industry', 'platform', 'country'] as const;

/**
 * Returns a number of the stores that have everything that is known of one store, from differences of counts that are not hidden. The first
 * attempt asks for two counts. Each further one leaves a value out and subtracts the stores with another value instead: twice as many counts.
 */
export function differenceOf(
  known: ReturnType<typeof knownOf>,
  read: (where: object) => number | undefined,
): number | undefined {
  for (let subtracted = 0; subtracted <= steps.length; subtracted++) {
    const named = Object.fromEntries(steps.slice(subtracted).map((name) => [name, { any: [known[name]] }]));
    const count = subtract(steps.slice(0, subtracted), named);
    if (count !== undefined) return count;
  }
  return undefined;

  function subtract(names: readonly (typeof steps)[number][], where: object): number | undefined {
    const [name, ...rest] = names;
    const all = name ? subtract(rest, where) : read({ ...where, ...known.withStore });
    if (all === undefined) return undefined;
    const others = name
      ? subtract(rest, { ...where, [name]: { none: [known[name]] } })
      : read({ ...where, ...known.withoutStore });
    return others === undefined ? undefined : all - others;
  }
}
