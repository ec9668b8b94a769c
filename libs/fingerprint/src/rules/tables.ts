import inventory from '../data/inventory.rules.json' with { type: 'json' };
import platforms from '../data/platforms.rules.json' with { type: 'json' };
import records from '../data/records.rules.json' with { type: 'json' };
import themes from '../data/shopify-themes.rules.json' with { type: 'json' };
import technologies from '../data/technologies.rules.json' with { type: 'json' };
import type { Pattern, Rule } from '../engine/rule.ts';

/** The rows of the tables of technologies; `data/README.md` explains them. */

/** A row has the names of its technology, unless another table has them. */
export interface Named extends Partial<Pick<Rule, 'name' | 'kind' | 'category' | 'vendor' | 'website' | 'requires'>> {
  slug: string;
}

export interface OwnPlatform {
  slug: string;
  name: string;
  vendor: string;
  website: string;
  /** `shop`: every site is a store. `mixed`: many sites sell nothing. */
  use: 'shop' | 'mixed';
  implies: string[];
  /** Platforms whose traces this one has kept, because it began as a copy of them. */
  succeeds?: string[];
  patterns: Pattern[];
}

/** Traces that the imported data lacks, or records and certificates. `kind`, `category`: only if no other table has the technology. */
export interface OwnTechnology extends Named {
  patterns: Pattern[];
}

/** A row without handles is a product that another row also names. Its slug is public, and therefore stays in the vocabulary. */
export interface InventoryEntry extends Named {
  handles: string[];
  /** Whether no public document states the handles. */
  unsourced?: true;
}

/** The names become slugs of the vocabulary. Any other theme is a `custom-theme`. */
export interface ShopifyTheme {
  name: string;
  vendor?: string;
  ids?: number[];
}

export const platformRules = platforms as readonly OwnPlatform[];
export const ownTechnologies = technologies as readonly OwnTechnology[];
export const recordTechnologies = records as readonly OwnTechnology[];
export const inventoryEntries = inventory as readonly InventoryEntry[];
export const shopifyThemes: readonly ShopifyTheme[] = themes;

export const knownHandles: ReadonlySet<string> = new Set(inventoryEntries.flatMap(({ handles }) => handles));
/** Names by the number in `Shopify.theme.theme_store_id`. */
export const shopifyThemeIds: ReadonlyMap<number, string> = new Map(
  shopifyThemes.flatMap(({ name, ids = [] }) => ids.map((id) => [id, name] as const)),
);
