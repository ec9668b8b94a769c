import type { CountStoresRequest, Technology } from '@shopscope/proto';
import { type ShownFacet, shownCount } from '../answer/shown-count.ts';
import type { StoreFilter } from '../query.ts';
import { encodeQuery } from '../wire/encode-query.ts';
import { type CountOfEdition, shownStores } from './technology-numbers.ts';

/** The active stores with a technology, and what they are. All of it is null while it is not known. */
export interface TechnologyFigures {
  /** Null also for a number that counts hide. */
  stores: number | null;
  by_platform: { platform: string; stores: number }[] | null;
  by_country: { country: string; stores: number }[] | null;
  by_industry: { industry: string; stores: number }[] | null;
  found_beside: { technology: string; stores: number }[] | null;
  edition: { id: string; built_at: string } | null;
}

const maxValues = 20;
const facets = ['platform', 'country', 'industry', 'technology'];

export const unknownFigures: TechnologyFigures = {
  stores: null,
  by_platform: null,
  by_country: null,
  by_industry: null,
  found_beside: null,
  edition: null,
};

/** Counts the stores with a technology in the latest edition. */
export const technologyFiguresRequest = (
  { slug, kind }: Pick<Technology, 'slug' | 'kind'>,
  of: Pick<CountStoresRequest, 'workspaceId'>,
) =>
  ({
    ...of,
    query: encodeQuery({ where: whereOf(slug, kind), sort: 'domain' }),
    editionId: '',
    facets,
    // The technology itself is among them.
    facetSize: maxValues + 1,
    context: undefined,
  }) satisfies CountStoresRequest;

export function technologyFiguresOf(slug: string, { edition, count }: CountOfEdition): TechnologyFigures {
  const shown = shownCount(count, { hasList: false });
  const valuesOf = (field: string) =>
    valuesIn(shown.facets, field)
      .filter(({ value }) => value !== slug || field !== 'technology')
      .slice(0, maxValues);
  return {
    stores: shownStores(count.total),
    by_platform: valuesOf('platform').map(({ value, stores }) => ({ platform: value, stores })),
    by_country: valuesOf('country').map(({ value, stores }) => ({ country: value, stores })),
    by_industry: valuesOf('industry').map(({ value, stores }) => ({ industry: value, stores })),
    found_beside: valuesOf('technology').map(({ value, stores }) => ({ technology: value, stores })),
    edition: { id: edition.id, built_at: new Date(edition.builtAtMs).toISOString() },
  };
}

const valuesIn = (facets: readonly ShownFacet[], name: string) =>
  facets.find(({ field }) => field === name)?.values ?? [];

function whereOf(slug: string, kind: string): StoreFilter {
  const active = { status: { any: ['active_storefront'] }, dropped: [] };
  if (kind === 'platform') return { ...active, platform: { any: [slug] }, technologies: [] };
  const selected = { by: 'slug' as const, values: [slug] };
  return { ...active, technologies: [{ quantifier: 'any', selected, includes_first_scan: false }] };
}
