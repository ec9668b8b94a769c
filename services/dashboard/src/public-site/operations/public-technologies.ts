/** The technologies on public pages. The pages are the same for every reader, so the operations take no caller. */

import { unlessNotFound } from '@shopscope/grpc';
import type { Technology } from '@shopscope/proto';
import type { TechnologyFigures } from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

export interface ListedTechnology extends Pick<Technology, 'slug' | 'name' | 'kind' | 'category'> {
  /** The number of active stores. Null if it is hidden; undefined while it is not known. */
  stores: number | null | undefined;
}

export interface DescribedTechnology {
  technology: Technology;
  figures: TechnologyFigures;
  /** The names of the slugs in the figures. */
  names: Readonly<Record<string, string>>;
}

const technologiesPerPage = 50;
/** The maximum that one call returns. */
const technologiesPerCall = 200;
/** Ten times the size of the vocabulary. */
const maxVocabularyPages = 200;
const everyTechnology = { q: '', kind: '', category: '' };

/** The sort order `name` is alphabetical. Otherwise, the technologies with the most stores are first while the numbers are known. */
export async function list(
  deps: Dependencies,
  { sort, after, ...filters }: { q: string; kind: string; category: string; sort: string; after: string },
  origin: Origin,
) {
  const numbers = await deps.technologyCounts.numbers(origin);
  const order = sort === 'name' ? undefined : numbers?.byStores;
  const query = { ...filters, afterSlug: after, limit: technologiesPerPage, order };
  const { technologies, hasMore } = await deps.profiles.listTechnologies(query, origin);
  return {
    technologies: technologies.map(({ slug, name, kind, category }): ListedTechnology => {
      return { slug, name, kind, category, stores: numbers?.storesOf(slug) };
    }),
    /** The slug after which the next page begins; undefined on the last page. */
    next: hasMore ? technologies.at(-1)?.slug : undefined,
    /** The time of the numbers; undefined while they are not known. */
    countedAtMs: numbers?.edition.builtAtMs,
  };
}

/** Resolves to undefined if the vocabulary has no such technology. */
export async function describe(
  deps: Dependencies,
  slug: string,
  origin: Origin,
): Promise<DescribedTechnology | undefined> {
  const technology = (await unlessNotFound(deps.profiles.getTechnology({ slug }, origin)))?.technology;
  if (!technology) return undefined;
  const figures = await deps.technologyCounts.figures(technology, origin);
  return { technology, figures, names: await namesOf(deps, figures, origin) };
}

async function namesOf(
  { profiles }: Pick<Dependencies, 'profiles'>,
  { by_platform, found_beside }: TechnologyFigures,
  origin: Origin,
): Promise<Record<string, string>> {
  const platforms = (by_platform ?? []).map(({ platform }) => platform);
  const slugs = [...new Set([...platforms, ...(found_beside ?? []).map(({ technology }) => technology)])];
  if (slugs.length === 0) return {};
  const order = { firstSlugs: slugs, lastSlugs: [] };
  const query = { ...everyTechnology, afterSlug: '', limit: slugs.length, order };
  const { technologies } = await profiles.listTechnologies(query, origin);
  return Object.fromEntries(technologies.map(({ slug, name }) => [slug, name]));
}

/** The technologies whose pages have figures, for the sitemap, with the time of the figures. None while they are not known. */
export async function withFigures(
  deps: Dependencies,
  origin: Origin,
): Promise<{ slugs: string[]; countedAtMs: number } | undefined> {
  const numbers = await deps.technologyCounts.numbers(origin);
  if (!numbers) return undefined;
  const slugs: string[] = [];
  for (let page = 0, afterSlug = ''; page < maxVocabularyPages; page++) {
    const query = { ...everyTechnology, afterSlug, limit: technologiesPerCall, order: numbers.byStores };
    const { technologies, hasMore } = await deps.profiles.listTechnologies(query, origin);
    // The technologies with figures come first.
    const found = technologies.filter(({ slug }) => (numbers.storesOf(slug) ?? 0) > 0);
    slugs.push(...found.map(({ slug }) => slug));
    if (!hasMore || found.length < technologies.length) break;
    afterSlug = slugs.at(-1) ?? '';
  }
  return { slugs, countedAtMs: numbers.edition.builtAtMs };
}
