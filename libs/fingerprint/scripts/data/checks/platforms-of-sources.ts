import { slugOf } from '../../../src/slug.ts';
import { compileTechnologies, importedPlatforms } from '../../compile-technologies.ts';
import { aliases } from '../tables/aliases.ts';
import { inventory } from '../tables/inventory.ts';
import { omittedPlatforms } from '../tables/platform-lists.ts';
import { platforms } from '../tables/platforms.ts';
import { technologies } from '../tables/technologies.ts';
import type { DataOf, TableFinding } from './finding.ts';

/**
 * Checks that no platform of the imported data is lost: each has a rule, an entry of the vocabulary and a constructed page. A list has the
 * reason if there is no rule.
 */
export function checkPlatformsOfSources(
  dataOf: DataOf,
  names: readonly string[] = importedPlatforms(),
): TableFinding[] {
  const present = new Map(dataOf(aliases).map(({ slug, of }) => [slug, of]));
  const slugOfName = (name: string): string => present.get(slugOf(name)) ?? slugOf(name);
  const written = [...dataOf(platforms), ...dataOf(technologies)];
  const rows = dataOf(inventory).filter(({ handles }) => handles.length > 0);
  const imported = compileTechnologies().kept.filter(({ patterns }) => patterns.length > 0);
  const traced = written.filter(({ traces, unsourcedTraces }) => traces ?? unsourcedTraces);
  const ruled = new Set([...traced, ...rows, ...imported].map(({ slug }) => slug));
  // A row of an inventory needs no sample, because its handle is one.
  const shown = new Set([...written.filter(({ samples }) => samples), ...rows].map(({ slug }) => slug));
  const omitted = new Set(dataOf(omittedPlatforms).map(({ name }) => name));
  const slugs = new Map(names.map((name) => [name, slugOfName(name)]));
  const lost = names.filter((name) => !ruled.has(slugs.get(name) ?? '') && !omitted.has(name));
  const pageless = names.filter((name) => {
    const slug = slugs.get(name) ?? '';
    return ruled.has(slug) && !shown.has(slug);
  });
  return [
    ...lost.map((name) => ({
      table: omittedPlatforms,
      path: [],
      message: `${name} has no rule: write one in platforms.yaml, or its reason here`,
    })),
    ...pageless.map((name) => ({
      table: platforms,
      path: [],
      message: `${name} has no constructed page: write a sample in platforms.yaml or technologies`,
    })),
    ...dataOf(omittedPlatforms).flatMap(({ name }, index) =>
      names.includes(name) && !ruled.has(slugs.get(name) ?? '')
        ? []
        : [
            {
              table: omittedPlatforms,
              path: [index, 'name'],
              message: `${name} has a rule, or is none of the imported data`,
            },
          ],
    ),
  ];
}
