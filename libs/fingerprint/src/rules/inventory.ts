import inventory from '../data/inventory.rules.json' with { type: 'json' };
import type { Pattern, Rule } from '../engine/rule.ts';

/**
 * A technology by the handles of inventories. A row with a slug of the other rules adds its handles to them and has no names of its own, but what it
 * requires counts. A row without handles is a product that another row names as well. Its slug is public, so it stays in the vocabulary.
 */
export interface InventoryEntry
  extends Partial<Pick<Rule, 'name' | 'kind' | 'category' | 'vendor' | 'website' | 'requires'>> {
  slug: string;
  handles: string[];
  /** No public document states what the handles are. */
  unsourced?: true;
}

export const inventoryEntries = inventory as readonly InventoryEntry[];

export const knownHandles: ReadonlySet<string> = new Set(inventoryEntries.flatMap(({ handles }) => handles));

const nothing = { listingUrl: null, implies: [], requiresCategory: [], excludes: [], patterns: [] };

function newRule({ slug, name, kind, category, vendor, website, requires = [] }: InventoryEntry): Rule {
  if (!name || !kind || !category || !vendor || !website)
    throw new Error(`inventory.rules.json: ${slug} is unknown and has no names`);
  return { ...nothing, slug, name, kind, category, vendor, website, requires };
}

export function addInventory(rules: Map<string, Rule>): void {
  for (const entry of inventoryEntries) {
    const known = rules.get(entry.slug) ?? newRule(entry);
    const patterns = entry.handles.map(
      (key): Pattern => ({
        channel: 'inventory',
        key,
        regex: '',
        version: '',
        weight: 100,
        unsourced: entry.unsourced ?? false,
      }),
    );
    const requires = known.requires.length > 0 ? known.requires : (entry.requires ?? []);
    rules.set(entry.slug, { ...known, requires, patterns: [...known.patterns, ...patterns] });
  }
}
