import imported from '../data/imported.rules.json' with { type: 'json' };
import type { Channel, Pattern, Rule } from '../engine/rule.ts';
import { slugOf } from '../slug.ts';
import type { VocabularyEntry } from '../types.ts';
import { addInventory, inventoryEntries } from './inventory.ts';
import { type OwnPlatform, platformRules } from './platforms.ts';
import { type RecordTechnology, recordTechnologies } from './records.ts';
import { type ShopifyTheme, shopifyThemes } from './shopify-themes.ts';
import { type OwnTechnology, ownTechnologies } from './technologies.ts';

/**
 * All rules in the form of the engine. Own rules extend imported ones by slug; platforms with own rules use only these.
 * The vocabulary is the same data: every technology that can be detected has an entry.
 */
type ImportedTechnology = (typeof imported)[number];

function importedPattern(row: string[]): Pattern {
  const [channel = '', key = '', regex = '', version = '', weight = '100', attribute = ''] = row;
  // A global alone is one family of evidence and no proof, because other software may use its name.
  return { channel: channel as Channel, key, regex, version, weight: Number(weight), ...(attribute && { attribute }) };
}

const fromImported = (technology: ImportedTechnology): Rule => ({
  slug: technology.slug,
  name: technology.name,
  kind: technology.kind as Rule['kind'],
  category: technology.category,
  vendor: technology.name,
  website: technology.website,
  listingUrl: null,
  patterns: technology.patterns.map(importedPattern),
  implies: technology.implies,
  requires: technology.requires,
  requiresCategory: technology.requiresCategory,
  excludes: technology.excludes,
});

const bare = { listingUrl: null, implies: [], requires: [], requiresCategory: [], excludes: [] };

const fromPlatform = ({ use, succeeds: _, ...platform }: OwnPlatform): Rule => ({
  ...bare,
  ...platform,
  kind: 'platform',
  category: 'ecommerce',
});

/** Own rules add traces and correct names. Category and kind of a known technology come from the other tables. */
function withTraces(known: Rule | undefined, { slug, patterns, kind, category, ...names }: OwnTechnology): Rule {
  if (known) return { ...known, ...names, patterns: [...known.patterns, ...patterns] };
  const { name, vendor, website, requires } = names;
  if (!name || !vendor || !website || !requires || !kind || !category)
    throw new Error(`technologies.rules.json: ${slug} is unknown and has no names`);
  return { ...bare, slug, name, kind, category, vendor, website, requires, patterns };
}

/** Records add to what is known about a technology. */
function withRecords(known: Rule | undefined, { slug, patterns, ...names }: RecordTechnology): Rule {
  if (known) return { ...known, patterns: [...known.patterns, ...patterns] };
  const { name, category, vendor, website } = names;
  if (!name || !category || !vendor || !website)
    throw new Error(`records.rules.json: ${slug} is unknown and has no names`);
  return { ...bare, slug, name, kind: 'service', category, vendor, website, requires: [], patterns };
}

function readRules(): Rule[] {
  const rules = new Map<string, Rule>();
  for (const technology of imported) rules.set(technology.slug, fromImported(technology));
  for (const platform of platformRules) rules.set(platform.slug, fromPlatform(platform));
  const add = (technology: OwnTechnology): void => {
    rules.set(technology.slug, withTraces(rules.get(technology.slug), technology));
  };
  ownTechnologies.filter(({ name }) => name).forEach(add);
  addInventory(rules);
  // The inventories name some of the technologies without names.
  ownTechnologies.filter(({ name }) => !name).forEach(add);
  for (const rule of recordTechnologies) rules.set(rule.slug, withRecords(rules.get(rule.slug), rule));
  const implied = new Set([...rules.values()].flatMap(({ implies }) => implies));
  const retired = new Set([
    ...imported.filter((technology) => 'retired' in technology).map(({ slug }) => slug),
    ...inventoryEntries.filter(({ handles }) => handles.length === 0).map(({ slug }) => slug),
  ]);
  return [...rules.values()].filter(
    ({ slug, patterns }) => patterns.length > 0 || implied.has(slug) || retired.has(slug),
  );
}

export const rules: readonly Rule[] = readRules();

const themeEntry = ({ name, vendor = name }: ShopifyTheme): VocabularyEntry => ({
  // A theme may have the name of an app or a service. Its slug then states that it is a theme.
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
  ...rules.map(({ slug, name, kind, category, vendor, website, listingUrl }) => ({
    slug,
    name,
    kind,
    category,
    vendor,
    website,
    listingUrl,
  })),
].sort((one, other) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0));

/** Platforms that many sites without a store use. */
export const mixedPlatforms: ReadonlySet<string> = new Set([
  ...platformRules.filter(({ use }) => use === 'mixed').map(({ slug }) => slug),
  ...imported.filter((technology) => 'use' in technology).map(({ slug }) => slug),
]);

/** Platforms that began as copies of others, and these. */
export const predecessors: ReadonlyMap<string, readonly string[]> = new Map(
  platformRules.flatMap(({ slug, succeeds }) => (succeeds ? [[slug, succeeds] as const] : [])),
);

/** Platforms with own rules. They take precedence over imported ones. */
export const ownPlatforms: ReadonlySet<string> = new Set(platformRules.map(({ slug }) => slug));
