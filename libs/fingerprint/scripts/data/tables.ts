import type { AnyTable } from './table.ts';
import { platforms } from './tables/platforms.ts';
import { shopifyThemes } from './tables/shopify-themes.ts';
import { technologies } from './tables/technologies.ts';

/** Every table of `data/`. */
export const tables: readonly AnyTable[] = [platforms, shopifyThemes, technologies];
