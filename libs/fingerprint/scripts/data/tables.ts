import type { AnyTable } from './table.ts';
import { aliases } from './tables/aliases.ts';
import { categories } from './tables/categories.ts';
import { currencies } from './tables/currencies.ts';
import { deliveryHosts } from './tables/delivery-hosts.ts';
import { embeddedShops } from './tables/embedded-shops.ts';
import { geography } from './tables/geography.ts';
import { reviews, selection } from './tables/imported.ts';
import { industries, industryLanguages } from './tables/industries.ts';
import { inventory } from './tables/inventory.ts';
import { omittedPlatforms, sameProducts } from './tables/platform-lists.ts';
import { platforms } from './tables/platforms.ts';
import { records } from './tables/records.ts';
import { shopifyThemes } from './tables/shopify-themes.ts';
import { pageWords, sampleData, shopWords } from './tables/shops.ts';
import { technologies } from './tables/technologies.ts';
import { unfinished } from './tables/unfinished.ts';
import { walls } from './tables/walls.ts';

/** Every table of `data/`. */
export const tables: readonly AnyTable[] = [
  aliases,
  categories,
  currencies,
  deliveryHosts,
  embeddedShops,
  ...geography,
  industries,
  industryLanguages,
  inventory,
  pageWords,
  omittedPlatforms,
  platforms,
  records,
  reviews,
  sameProducts,
  sampleData,
  selection,
  shopifyThemes,
  shopWords,
  technologies,
  unfinished,
  walls,
];
