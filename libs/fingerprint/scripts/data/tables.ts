import type { AnyTable } from './table.ts';
import { inventory } from './tables/inventory.ts';
import { platforms } from './tables/platforms.ts';
import { records } from './tables/records.ts';
import { shopifyThemes } from './tables/shopify-themes.ts';
import { technologies } from './tables/technologies.ts';

/** Every table of `data/`. */
export const tables: readonly AnyTable[] = [inventory, platforms, records, shopifyThemes, technologies];
