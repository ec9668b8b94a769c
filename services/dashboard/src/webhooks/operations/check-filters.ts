/** Checks the names in filters as the API does. Profiles and its vocabulary know which names exist. */

import type { Filters } from '@shopscope/proto';
import { unknownValue } from '@shopscope/text';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

const technologiesPerCall = 200;
/** More than the vocabulary has. */
const maxPages = 50;

/**
 * Returns the filters with the present slugs of technologies and platforms. Throws `invalid_request` with near names for the first name that
 * does not exist.
 */
export async function checkFilters(deps: Dependencies, visit: WorkspaceVisit, filters: Filters): Promise<Filters> {
  const { technologies, platforms } = filters;
  await requireKnown(deps, visit, filters);
  const given = { technologies, platforms, countries: [], industries: [] };
  const present = await deps.profiles.resolveValues(given, visit.origin);
  await requireCategories(deps, visit, filters.categories);
  return { ...filters, technologies: present.technologies, platforms: present.platforms };
}

async function requireKnown({ profiles }: Dependencies, { origin }: WorkspaceVisit, filters: Filters): Promise<void> {
  const { signalTypes: types, technologies, platforms, countries, industries } = filters;
  if ([types, technologies, platforms, countries, industries].every((values) => values.length === 0)) return;
  await profiles.checkSignalFilters({ types, technologies, platforms, countries, industries }, origin);
}

async function requireCategories(deps: Dependencies, { origin }: WorkspaceVisit, categories: readonly string[]) {
  for (const [index, category] of categories.entries()) {
    const query = { kind: '', category, q: '', afterSlug: '', limit: 1 };
    const { technologies } = await deps.profiles.listTechnologies(query, origin);
    if (technologies.length === 0)
      throw unknownValue(`category[${index}]`, category, await allCategories(deps, origin));
  }
}

/** Reads the whole vocabulary, so only a category that does not exist causes it. */
async function allCategories({ profiles }: Dependencies, origin: WorkspaceVisit['origin']): Promise<Set<string>> {
  const categories = new Set<string>();
  let afterSlug = '';
  for (let page = 0; page < maxPages; page++) {
    const query = { kind: '', category: '', q: '', afterSlug, limit: technologiesPerCall };
    const { technologies, hasMore } = await profiles.listTechnologies(query, origin);
    for (const { category } of technologies) categories.add(category);
    afterSlug = technologies.at(-1)?.slug ?? '';
    if (!hasMore) break;
  }
  return categories;
}
