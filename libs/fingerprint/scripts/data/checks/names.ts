import { compileTechnologies } from '../../compile-technologies.ts';
import type { Finding } from '../table.ts';
import { type InventoryRow, inventory } from '../tables/inventory.ts';
import { platforms } from '../tables/platforms.ts';
import { records } from '../tables/records.ts';
import { type TechnologyEntry, technologies } from '../tables/technologies.ts';
import type { DataOf, TableFinding } from './finding.ts';

/**
 * Exactly one table names each technology: the imported data, platforms, `technologies`, inventories or records, in this order. An entry of
 * `technologies` may rename a technology of the imported data.
 */
type Named = readonly { slug: string; name?: string }[];

interface Names {
  /** Slugs that are named by the imported data or by the platforms. */
  foreign: ReadonlySet<string>;
  /** Slugs that are named by the rows of a table. */
  own: (rows: Named) => ReadonlySet<string>;
}

const own: Names['own'] = (rows) => new Set(rows.flatMap(({ slug, name }) => (name === undefined ? [] : [slug])));

/** Every slug of the vocabulary except themes. */
export function namedSlugs(dataOf: DataOf): Pick<Names, 'foreign'> & { all: ReadonlySet<string> } {
  const imported = compileTechnologies().kept.map(({ slug }) => slug);
  const foreign = new Set([...imported, ...dataOf(platforms).map(({ slug }) => slug)]);
  const tables = [dataOf(technologies), dataOf(inventory), dataOf(records)];
  return { foreign, all: new Set([...foreign, ...tables.flatMap((rows) => [...own(rows)])]) };
}

/** Findings for rows whose technology is named by no table. */
const nameless = (rows: Named, named: ReadonlySet<string>): Finding[] =>
  rows.flatMap(({ slug }, index) =>
    named.has(slug)
      ? []
      : [{ path: [index, 'name'], message: `no other table names ${slug}, so this row needs a name` }],
  );

/** Findings for rows that name a technology which another table or another row names. */
function renamed(rows: Named, others: readonly ReadonlySet<string>[]): Finding[] {
  const seen = new Set<string>();
  return rows.flatMap(({ slug, name }, index) => {
    if (name === undefined) return [];
    const isKnown = seen.has(slug) || others.some((slugs) => slugs.has(slug));
    seen.add(slug);
    return isKnown ? [{ path: [index, 'name'], message: `another table or row names ${slug}` }] : [];
  });
}

/** A new technology has a kind and a category. A technology of the imported data has them there. */
function misfit(
  entry: TechnologyEntry,
  foreign: ReadonlySet<string>,
): [member: keyof TechnologyEntry, message: string][] {
  if (entry.name === undefined)
    return (['kind', 'category', 'vendor', 'website', 'requires'] as const)
      .filter((member) => entry[member] !== undefined)
      .map((member) => [member, 'only an entry with a name has this member']);
  const isForeign = foreign.has(entry.slug);
  const wrong = (['kind', 'category'] as const).filter((member) => (entry[member] !== undefined) === isForeign);
  const message = isForeign ? 'the imported data has this member' : `${entry.slug} is new, so this member is required`;
  return [
    ...wrong.map((member): [typeof member, string] => [member, message]),
    ...(entry.website === undefined
      ? [['website', 'an entry with a name needs this member'] as ['website', string]]
      : []),
  ];
}

const partial = (rows: readonly InventoryRow[]): Finding[] =>
  rows.flatMap((row, index) =>
    (['kind', 'category', 'website'] as const)
      .filter((member) => (row[member] === undefined) !== (row.name === undefined))
      .map((member) => ({ path: [index, member], message: 'a row has a name, kind, category and website, or none' })),
  );

export function checkNames(dataOf: DataOf): TableFinding[] {
  const { foreign, all } = namedSlugs(dataOf);
  const [entries, rows, listed] = [dataOf(technologies), dataOf(inventory), dataOf(records)];
  const misfits = entries.flatMap((entry, index) =>
    misfit(entry, foreign).map(([member, message]) => ({ path: [index, member], message })),
  );
  const found = [
    [technologies, [...nameless(entries, all), ...misfits]],
    [inventory, [...nameless(rows, all), ...renamed(rows, [foreign, own(entries)]), ...partial(rows)]],
    [records, [...nameless(listed, all), ...renamed(listed, [foreign, own(entries), own(rows)])]],
  ] as const;
  return found.flatMap(([table, findings]) => findings.map((finding) => ({ table, ...finding })));
}
