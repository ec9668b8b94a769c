import imported from '../data/imported.rules.json' with { type: 'json' };
import type { Channel, Pattern, Rule } from '../engine/rule.ts';
import { slugOf } from '../slug.ts';
import type { VocabularyEntry } from '../types.ts';
import {
  inventoryEntries,
  type Named,
  type OwnPlatform,
  type OwnTechnology,
  ownTechnologies,
  platformRules,
  recordTechnologies,
  type ShopifyTheme,
  shopifyThemes,
} from './tables.ts';

/**
 * All rules in the form of the engine. Own rules extend imported ones by slug. Platforms with own rules use only these. The vocabulary is
 * the same data: every technology that can be detected has an entry.
 */
interface ImportedTechnology extends Omit<Rule, 'vendor' | 'listingUrl' | 'patterns'> {
  patterns: string[][];
  use?: 'mixed';
  retired?: true;
}
const importedTechnologies = imported as readonly ImportedTechnology[];

function importedPattern(row: string[]): Pattern {
  const [channel = '', key = '', regex = '', version = '', weight = '100', attribute = ''] = row;
  // A global alone is one family of evidence and no proof, because other software may use its name.
  return { channel: channel as Channel, key, regex, version, weight: Number(weight), ...(attribute && { attribute }) };
}

const fromImported = ({ patterns, use, retired, ...technology }: ImportedTechnology): Rule => ({
  ...technology,
  vendor: technology.name,
  listingUrl: null,
  patterns: patterns.map(importedPattern),
});

const bare = { listingUrl: null, implies: [], requires: [], requiresCategory: [], excludes: [] };

const fromPlatform = ({ use, succeeds: _, ...platform }: OwnPlatform): Rule => ({
  ...bare,
  ...platform,
  kind: 'platform',
  category: 'ecommerce',
});

function newRule({ slug, name, kind, category, vendor, website, requires = [] }: Named): Rule {
  if (!name || !kind || !category || !vendor || !website) throw new Error(`${slug} is unknown and has no names`);
  return { ...bare, slug, name, kind, category, vendor, website, requires, patterns: [] };
}

function readRules(): Rule[] {
  const rules = new Map<string, Rule>();
  for (const technology of importedTechnologies) rules.set(technology.slug, fromImported(technology));
  for (const platform of platformRules) rules.set(platform.slug, fromPlatform(platform));
  /** Adds patterns to a known technology, or adds a new technology. */
  const add = (row: Named, patterns: readonly Pattern[], changesOf: (known: Rule) => Partial<Rule>): void => {
    const known = rules.get(row.slug) ?? newRule(row);
    rules.set(row.slug, { ...known, ...changesOf(known), patterns: [...known.patterns, ...patterns] });
  };
  // Own rules correct names. The category and kind of a known technology come from the other tables.
  const addOwn = ({ patterns, ...row }: OwnTechnology): void => {
    const { kind: _, category: __, ...names } = row;
    add(row, patterns, () => names);
  };
  ownTechnologies.filter(({ name }) => name).forEach(addOwn);
  for (const { handles, unsourced = false, ...row } of inventoryEntries)
    add(
      row,
      handles.map((key) => ({ channel: 'inventory', key, regex: '', version: '', weight: 100, unsourced })),
      ({ requires }) => ({ requires: requires.length > 0 ? requires : (row.requires ?? []) }),
    );
  // The inventories name some of the technologies that have no names here.
  ownTechnologies.filter(({ name }) => !name).forEach(addOwn);
  for (const { patterns, ...row } of recordTechnologies) add({ kind: 'service', ...row }, patterns, () => ({}));
  const implied = new Set([...rules.values()].flatMap(({ implies }) => implies));
  const retired = new Set([
    ...importedTechnologies.filter(({ retired }) => retired).map(({ slug }) => slug),
    ...inventoryEntries.filter(({ handles }) => handles.length === 0).map(({ slug }) => slug),
  ]);
  return [...rules.values()].filter(
    ({ slug, patterns }) => patterns.length > 0 || implied.has(slug) || retired.has(slug),
  );
}

export const rules: readonly Rule[] = readRules();

const themeEntry = ({ name, vendor = name }: ShopifyTheme): VocabularyEntry => ({
  // A theme may have the name of an app or a service. Its slug therefore states that it is a theme.
  slug: themeSlug(name),
  name,
  kind: 'theme',
  category: 'shopify-themes',
  vendor,
  website: 'https://themes.shopify.com/',
  listingUrl: `https://themes.shopify.com/themes/${slugOf(name)}`,
});

const taken = new Set(rules.map(({ slug }) => slug));

function themeSlug(name: string): string {
  const slug = slugOf(name);
  return taken.has(slug) ? `${slug}-theme` : slug;
}

/** Themes by the name that stores show, in lower case. */
export const namedThemes: ReadonlyMap<string, VocabularyEntry> = new Map(
  shopifyThemes.map((theme) => [theme.name.toLowerCase(), themeEntry(theme)]),
);

const unlisted = (slug: string, name: string, kind: 'platform' | 'theme', category: string): VocabularyEntry => ({
  slug,
  name,
  kind,
  category,
  vendor: name,
  website: 'https://schema.org/Store',
  listingUrl: null,
});

export const customPlatform = unlisted('custom', 'Custom', 'platform', 'ecommerce');
export const customTheme = unlisted('custom-theme', 'Custom theme', 'theme', 'shopify-themes');

export const entries: readonly VocabularyEntry[] = [
  customPlatform,
  customTheme,
  ...namedThemes.values(),
  ...rules.map(({ patterns: _, implies, requires, requiresCategory, excludes, ...entry }) => entry),
].sort((one, other) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0));

/** Platforms that many sites without a store use. */
export const mixedPlatforms: ReadonlySet<string> = new Set([
  ...platformRules.filter(({ use }) => use === 'mixed').map(({ slug }) => slug),
  ...importedTechnologies.filter(({ use }) => use).map(({ slug }) => slug),
]);

/** Platforms that began as copies of other platforms, with those platforms. */
export const predecessors: ReadonlyMap<string, readonly string[]> = new Map(
  platformRules.flatMap(({ slug, succeeds }) => (succeeds ? [[slug, succeeds] as const] : [])),
);

/** Platforms with own rules. They take precedence over imported ones. */
export const ownPlatforms: ReadonlySet<string> = new Set(platformRules.map(({ slug }) => slug));
