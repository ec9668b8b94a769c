import { compileTechnologies, importedNames } from '../../compile-technologies.ts';
import type { Path } from '../source.ts';
import type { AnyTable, Table } from '../table.ts';
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

/** Checks that every reference between tables has a target: technologies, categories, industries, and parts of the imported data. */
export function checkReferences(dataOf: DataOf): TableFinding[] {
  const slugs = namedSlugs(dataOf).all;
  const known = new Set([...compileTechnologies().kept.map(({ category }) => category), ...dataOf(categories)]);
  const industrySlugs = new Set(dataOf(industries).industries.map(({ slug }) => slug));
  const missing = (
    what: string,
    names: ReadonlySet<string>,
    table: AnyTable,
    used: readonly (readonly [Path, string])[],
  ): TableFinding[] =>
    used
      .filter(([, name]) => !names.has(name))
      .map(([path, name]) => ({ table, path, message: `there is no ${what} ${name}` }));
  /** The texts of one member of each row. The member is a text, a list, or missing. */
  const member = <Row>(table: Table<Row[]>, name: keyof Row & string) =>
    dataOf(table).flatMap((row, index) =>
      [row[name] ?? []].flat().map((text) => [[index, name], String(text)] as const),
    );
  const platformSlugs = Object.keys(dataOf(platformCountries));
  const languageWords = dataOf(industryLanguages).words.flatMap(({ words }, index) =>
    Object.keys(words).map((slug) => [['words', index, 'words', slug], slug] as const),
  );
  return [
    ...missing('technology', slugs, platforms, member(platforms, 'implies')),
    ...missing('technology', slugs, platforms, member(platforms, 'succeeds')),
    ...missing('technology', slugs, technologies, member(technologies, 'requires')),
    ...missing('technology', slugs, inventory, member(inventory, 'requires')),
    ...missing('technology', slugs, embeddedShops, member(embeddedShops, 'technology')),
    ...missing(
      'technology',
      slugs,
      platformCountries,
      platformSlugs.map((slug) => [[slug], slug]),
    ),
    ...missing('category', known, technologies, member(technologies, 'category')),
    ...missing('category', known, inventory, member(inventory, 'category')),
    ...missing('category', known, records, member(records, 'category')),
    ...missing('industry', industrySlugs, industryLanguages, languageWords),
    ...unknownChoices(dataOf),
  ];
}

/** Findings for selections and reviews whose target is missing in the imported data. */
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
