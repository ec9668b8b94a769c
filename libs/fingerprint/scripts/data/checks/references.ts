import { compileTechnologies, importedNames } from '../../compile-technologies.ts';
import type { Path } from '../source.ts';
import type { AnyTable } from '../table.ts';
import { categories } from '../tables/categories.ts';
import { embeddedShops } from '../tables/embedded-shops.ts';
import { platformCountries } from '../tables/geography.ts';
import { reviews, selection } from '../tables/imported.ts';
import { industries, industryLanguages } from '../tables/industries.ts';
import { inventory } from '../tables/inventory.ts';
import { platforms } from '../tables/platforms.ts';
import { records } from '../tables/records.ts';
import { technologies } from '../tables/technologies.ts';
import type { DataOf, TableFinding } from './finding.ts';
import { namedSlugs } from './names.ts';

/** What one table says of another exists: technologies, categories, industries, parts of the imported data. */
export function checkReferences(dataOf: DataOf): TableFinding[] {
  const slugs = namedSlugs(dataOf).all;
  const known = new Set([...compileTechnologies().kept.map(({ category }) => category), ...dataOf(categories)]);
  const industrySlugs = new Set(dataOf(industries).industries.map(({ slug }) => slug));
  const found: TableFinding[] = [];
  const need = (
    table: AnyTable,
    what: string,
    exists: (name: string) => boolean,
    names: readonly (readonly [Path, string])[],
  ) => {
    for (const [path, name] of names)
      if (!exists(name)) found.push({ table, path, message: `there is no ${what} ${name}` });
  };
  const isSlug = (slug: string): boolean => slugs.has(slug);
  const isCategory = (category: string): boolean => known.has(category);

  need(
    platforms,
    'technology',
    isSlug,
    lists(dataOf(platforms), 'implies', ({ implies }) => implies),
  );
  need(
    technologies,
    'technology',
    isSlug,
    lists(dataOf(technologies), 'requires', ({ requires }) => requires),
  );
  need(
    inventory,
    'technology',
    isSlug,
    lists(dataOf(inventory), 'requires', ({ requires }) => requires),
  );
  need(
    embeddedShops,
    'technology',
    isSlug,
    dataOf(embeddedShops).map(({ technology }, index) => [[index, 'technology'], technology]),
  );
  need(
    platforms,
    'technology',
    isSlug,
    lists(dataOf(platforms), 'succeeds', ({ succeeds }) => succeeds),
  );
  need(
    platformCountries,
    'technology',
    isSlug,
    Object.keys(dataOf(platformCountries)).map((slug) => [[slug], slug]),
  );
  for (const table of [technologies, inventory, records] as const)
    need(
      table,
      'category',
      isCategory,
      lists(dataOf<{ category?: string }[]>(table as never), 'category', ({ category }) => category && [category]),
    );
  need(
    industryLanguages,
    'industry',
    (slug) => industrySlugs.has(slug),
    dataOf(industryLanguages).words.flatMap(({ words }, index) =>
      Object.keys(words).map((slug) => [['words', index, 'words', slug], slug] as const),
    ),
  );
  return [...found, ...unknownChoices(dataOf)];
}

const lists = <Row>(rows: readonly Row[], member: string, namesOf: (row: Row) => readonly string[] | '' | undefined) =>
  rows.flatMap((row, index) => (namesOf(row) || []).map((name) => [[index, member], name] as const));

/** Selections and reviews of what the imported data does not have. */
function unknownChoices(dataOf: DataOf): TableFinding[] {
  const { hasName, hasReviewed } = importedNames();
  const { genericGlobals: _, kindOfCategory, ...named } = dataOf(selection);
  const names = [
    ...Object.entries(named).flatMap(([list, all]) => all.map((name, index) => [[list, index], name] as const)),
    ...Object.keys(kindOfCategory).map((name) => [['kindOfCategory', name], name] as const),
  ];
  return [
    ...names
      .filter(([, name]) => !hasName(name))
      .map(([path, name]) => ({ table: selection, path, message: `the imported data has no ${name}` })),
    ...dataOf(reviews).flatMap((review, index) =>
      hasReviewed(review)
        ? []
        : [{ table: reviews, path: [index, 'pattern'], message: 'the imported data has no such pattern' }],
    ),
  ];
}
