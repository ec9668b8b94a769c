import type { CountStoresRequest, Edition, TechnologyOrder } from '@shopscope/proto';
import { isHiddenTotal, shownCount } from '../answer/shown-count.ts';
import type { RawCount } from '../engine/count.ts';
import { encodeQuery } from '../wire/encode-query.ts';

/** The response of a count: the true numbers, and the edition that they are of. */
export interface CountOfEdition {
  edition: Edition;
  count: RawCount;
}

/** How many active stores have each technology, in one edition. */
export interface TechnologyNumbers {
  edition: Pick<Edition, 'id' | 'builtAtMs'>;
  /** Null for a number that counts hide. */
  storesOf(slug: string): number | null;
  /** The technologies with the most stores are first, and those with a hidden number are last. Equal numbers are by slug. */
  byStores: TechnologyOrder;
}

/** More than the vocabulary has technologies. */
const allValues = 20_000;

const everyActiveStore = encodeQuery({
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [] },
  sort: 'domain',
});

/** Counts the stores of every technology with one call. `editionId` is empty for the latest edition. */
export const technologyNumbersRequest = (of: Pick<CountStoresRequest, 'editionId' | 'workspaceId'>) =>
  ({
    ...of,
    query: everyActiveStore,
    facets: ['technology', 'platform'],
    facetSize: allValues,
    context: undefined,
  }) satisfies CountStoresRequest;

export function technologyNumbersOf({ edition, count }: CountOfEdition): TechnologyNumbers {
  const values = count.facets.flatMap((facet) => facet.values);
  const numbers = new Map(values.map(({ value, stores }) => [value, stores]));
  const storesOf = (slug: string) => shownStores(numbers.get(slug) ?? 0);
  const slugs = [...numbers.keys()].sort();
  const numberOf = (slug: string) => numbers.get(slug) ?? 0;
  return {
    edition: { id: edition.id, builtAtMs: edition.builtAtMs },
    storesOf,
    byStores: {
      // A stable sort: equal numbers stay by slug.
      firstSlugs: slugs.filter((slug) => storesOf(slug) !== null).sort((a, b) => numberOf(b) - numberOf(a)),
      lastSlugs: slugs.filter((slug) => storesOf(slug) === null),
    },
  };
}

/** Null for a number that counts hide. */
export function shownStores(stores: number): number | null {
  const shown = shownCount({ total: stores, notJudged: 0, facets: [] }, { hasList: false });
  return isHiddenTotal(shown) ? null : stores;
}
