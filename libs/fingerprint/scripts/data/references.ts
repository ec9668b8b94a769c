import { compileTechnologies } from '../compile-technologies.ts';
import type { AnyTable, Finding, Table } from './table.ts';
import { categories } from './tables/categories.ts';
import { platformCountries } from './tables/geography.ts';
import { industries, industryLanguages } from './tables/industries.ts';
import { type InventoryRow, inventory } from './tables/inventory.ts';
import { platforms } from './tables/platforms.ts';
import { records } from './tables/records.ts';
import { type TechnologyEntry, technologies } from './tables/technologies.ts';

/**
 * What one table says about another: slugs of technologies and categories exist, and each technology has its names in one table.
 *
 * - The imported data and the platforms name their technologies. Entries of `technologies` name others, then rows of inventories, then records.
 */
export type DataOf = <Data>(table: Table<Data>) => Data;

export interface Reference extends Finding {
  table: AnyTable;
}

/** A member that has names where another table has them, or none where no other has. */
function misnamed(
  rows: readonly { slug: string; name?: string }[],
  named: ReadonlySet<string>,
  { mayRename }: { mayRename: boolean },
): Finding[] {
  const seen = new Set<string>();
  return rows.flatMap(({ slug, name }, index) => {
    const isNamed = named.has(slug) || seen.has(slug);
    seen.add(slug);
    if (name === undefined && !isNamed)
      return [{ path: [index, 'name'], message: `no other table names ${slug}, so it needs its names` }];
    return name !== undefined && isNamed && !mayRename
      ? [{ path: [index, 'name'], message: `another table names ${slug}` }]
      : [];
  });
}

/** Members of a new technology, which a known one has elsewhere. */
function incomplete(entries: readonly TechnologyEntry[], known: ReadonlySet<string>): Finding[] {
  return entries.flatMap((entry, index) => {
    if (entry.name === undefined)
      return (['kind', 'category', 'vendor', 'website', 'requires'] as const)
        .filter((member) => entry[member] !== undefined)
        .map((member) => ({ path: [index, member], message: 'only an entry with a name has it' }));
    const missing = known.has(entry.slug) ? [] : (['kind', 'category'] as const).filter((member) => !entry[member]);
    const needless = known.has(entry.slug) ? (['kind', 'category'] as const).filter((member) => entry[member]) : [];
    return [
      ...[...missing, ...(entry.website ? [] : (['website'] as const))].map((member) => ({
        path: [index, member],
        message: `${entry.slug} is new, so it is needed`,
      })),
      ...needless.map((member) => ({ path: [index, member], message: 'the imported data has it' })),
    ];
  });
}

const incompleteRows = (rows: readonly InventoryRow[]): Finding[] =>
  rows.flatMap((row, index) =>
    (['kind', 'category', 'website'] as const)
      .filter((member) => (row[member] === undefined) !== (row.name === undefined))
      .map((member) => ({ path: [index, member], message: 'a row has a name, kind, category and website, or none' })),
  );

export function checkReferences(dataOf: DataOf): Reference[] {
  const imported = new Map(compileTechnologies().kept.map((one) => [one.slug, one.category]));
  const rows = {
    platforms: dataOf(platforms),
    technologies: dataOf(technologies),
    inventory: dataOf(inventory),
    records: dataOf(records),
  };
  const named = new Set([...imported.keys(), ...rows.platforms.map(({ slug }) => slug)]);
  const foreign = new Set(named);
  const findings: Reference[] = [];
  const add = (table: AnyTable, found: readonly Finding[]): void => {
    findings.push(...found.map((finding) => ({ table, ...finding })));
  };
  const nameBy = (list: readonly { slug: string; name?: string }[]): void => {
    for (const { slug, name } of list) if (name !== undefined) named.add(slug);
  };

  add(technologies, incomplete(rows.technologies, foreign));
  nameBy(rows.technologies);
  add(inventory, [...misnamed(rows.inventory, named, { mayRename: false }), ...incompleteRows(rows.inventory)]);
  nameBy(rows.inventory);
  add(technologies, misnamed(rows.technologies, named, { mayRename: true }));
  add(records, misnamed(rows.records, named, { mayRename: false }));
  nameBy(rows.records);

  const known = new Set([...imported.values(), ...dataOf(categories)]);
  for (const [table, list] of [
    [technologies, rows.technologies],
    [inventory, rows.inventory],
    [records, rows.records],
  ] as const)
    add(
      table,
      list.flatMap(({ category }, index) =>
        category === undefined || known.has(category)
          ? []
          : [
              {
                path: [index, 'category'],
                message: `there is no category ${category}; new ones go to categories.yaml`,
              },
            ],
      ),
    );
  const unknown = (member: string, lists: readonly (readonly string[] | undefined)[]): Finding[] =>
    lists.flatMap((slugs = [], index) =>
      slugs
        .filter((slug) => !named.has(slug))
        .map((slug) => ({ path: [index, member], message: `there is no technology ${slug}` })),
    );
  add(
    platforms,
    unknown(
      'implies',
      rows.platforms.map(({ implies }) => implies),
    ),
  );
  add(
    technologies,
    unknown(
      'requires',
      rows.technologies.map(({ requires }) => requires),
    ),
  );
  add(
    inventory,
    unknown(
      'requires',
      rows.inventory.map(({ requires }) => requires),
    ),
  );
  add(
    platformCountries,
    Object.keys(dataOf(platformCountries))
      .filter((slug) => !named.has(slug))
      .map((slug) => ({ path: [slug], message: `there is no technology ${slug}` })),
  );
  const industrySlugs = new Set(dataOf(industries).industries.map(({ slug }) => slug));
  add(
    industryLanguages,
    dataOf(industryLanguages).words.flatMap(({ words }, index) =>
      Object.keys(words)
        .filter((slug) => !industrySlugs.has(slug))
        .map((slug) => ({ path: ['words', index, 'words', slug], message: `there is no industry ${slug}` })),
    ),
  );
  return findings;
}
