import type { Technology } from '@shopscope/proto';
import { encodeQuery, type ShownFacet, type StoreFilter, shownCount } from '@shopscope/store-search';
import type { SearchClient } from '../../peers/search-client.ts';
import type { CountCaller } from './store-counts.ts';
import { shownStores } from './technologies.ts';

const maxValues = 20;
const timeoutMs = 3_000;
const facets = ['platform', 'country', 'industry', 'technology'];

export interface TechnologyFigures {
  stores: number | null;
  by_platform: { platform: string; stores: number }[] | null;
  by_country: { country: string; stores: number }[] | null;
  by_industry: { industry: string; stores: number }[] | null;
  found_beside: { technology: string; stores: number }[] | null;
  edition: { id: string; built_at: string } | null;
}

const unknown: TechnologyFigures = {
  stores: null,
  by_platform: null,
  by_country: null,
  by_industry: null,
  found_beside: null,
  edition: null,
};

/** The active stores with a technology, and what they are. All of it is null while search does not answer. */
export async function figuresOf(
  { search }: { search: Pick<SearchClient, 'countStores'> },
  { slug, kind }: Pick<Technology, 'slug' | 'kind'>,
  { workspaceId, origin, deadline }: CountCaller,
): Promise<TechnologyFigures> {
  const request = {
    query: encodeQuery({ where: whereOf(slug, kind), sort: 'domain' }),
    editionId: '',
    facets,
    // The technology itself is among them.
    facetSize: maxValues + 1,
    context: undefined,
    workspaceId,
  };
  const counted = await search
    .countStores(request, { origin, deadline: deadline.capped(timeoutMs) })
    .catch(() => undefined);
  if (!counted) return unknown;
  const shown = shownCount(counted.count, { hasList: false });
  const valuesOf = (field: string) =>
    valuesIn(shown.facets, field)
      .filter(({ value }) => value !== slug || field !== 'technology')
      .slice(0, maxValues);
  const { id, builtAtMs } = counted.edition;
  return {
    stores: shownStores(counted.count.total),
    by_platform: valuesOf('platform').map(({ value, stores }) => ({ platform: value, stores })),
    by_country: valuesOf('country').map(({ value, stores }) => ({ country: value, stores })),
    by_industry: valuesOf('industry').map(({ value, stores }) => ({ industry: value, stores })),
    found_beside: valuesOf('technology').map(({ value, stores }) => ({ technology: value, stores })),
    edition: { id, built_at: new Date(builtAtMs).toISOString() },
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
