import type { AnyTable } from './table.ts';
import { shopifyThemes } from './tables/shopify-themes.ts';

/** Every table of `data/`. */
export const tables: readonly AnyTable[] = [shopifyThemes];
