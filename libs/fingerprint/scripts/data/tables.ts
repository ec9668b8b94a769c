import type { AnyTable } from './table.ts';
import { categories } from './tables/categories.ts';
import { geography } from './tables/geography.ts';
import { inventory } from './tables/inventory.ts';
import { platforms } from './tables/platforms.ts';
import { records } from './tables/records.ts';
import { shopifyThemes } from './tables/shopify-themes.ts';
import { technologies } from './tables/technologies.ts';
import { unfinished } from './tables/unfinished.ts';

/** Every table of `data/`. */
export const tables: readonly AnyTable[] = [
  categories,
  ...geography,
  inventory,
  platforms,
  records,
  shopifyThemes,
  technologies,
  unfinished,
];
