import { readFileSync, writeFileSync } from 'node:fs';
import { countries, industrySlugs, vocabulary } from '@shopscope/fingerprint';

/**
 * Writes src/vocabulary/vocabulary.gen.ts: the values that a query may name.
 */
const aliases = new URL('../../fingerprint/src/data/aliases.rules.json', import.meta.url);
const earlier = JSON.parse(readFileSync(aliases, 'utf8')) as { slug: string; of: string }[];

const byKind: Record<string, Record<string, string>> = {};
for (const [kind, entries] of sortedGroups(vocabulary, (entry) => entry.kind)) {
  const categories = sortedGroups(entries, (entry) => entry.category);
  const slugsOf = (some: typeof entries) =>
    some
      .map(({ slug }) => slug)
      .sort()
      .join(' ');
  byKind[kind] = Object.fromEntries(categories.map(([category, some]) => [category, slugsOf(some)]));
}

function sortedGroups<Each>(all: readonly Each[], nameOf: (each: Each) => string): [string, Each[]][] {
  return [...Map.groupBy(all, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const target = new URL('../src/vocabulary/vocabulary.gen.ts', import.meta.url);
writeFileSync(
  target,
  [
    '// Generated from the vocabulary in libs/fingerprint: npm run generate -w @shopscope/store-search',
    '/** The technologies by kind and category. Values are separated by blanks. */',
    `export const technologySlugs: Readonly<Record<string, Readonly<Record<string, string>>>> = ${json(byKind)};`,
    `export const countries = '${[...countries].sort().join(' ')}';`,
    `export const industries = '${[...industrySlugs].sort().join(' ')}';`,
    '/** The present slug of each earlier one. */',
    `export const earlierSlugs: Readonly<Record<string, string>> = ${json(Object.fromEntries(earlier.map(({ slug, of }) => [slug, of])))};`,
    '',
  ].join('\n'),
);
