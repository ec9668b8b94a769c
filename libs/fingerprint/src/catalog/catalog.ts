import type { PageEvidence } from '../page/evidence.ts';
import type { Catalog } from '../types.ts';
import { jsonLdListing } from './json-ld.ts';
import type { Listing } from './listing.ts';
import { priceRangeOf } from './prices.ts';
import { shopifyListing } from './shopify.ts';
import { wooCommerceListing } from './woocommerce.ts';

export const noCatalog: Catalog = {
  coverage: 'none',
  productCount: 0,
  availableCount: null,
  currency: 'XXX',
  priceRange: { p25: 0, median: 0, p75: 0 },
};

/** The listing of the platform if there is one, otherwise the products that the page describes. */
export function readListing({ resources, jsonLd }: PageEvidence): Listing | undefined {
  return shopifyListing(resources) ?? wooCommerceListing(resources) ?? jsonLdListing(jsonLd);
}

/**
 * Counts and price quartiles.
 *
 * - Coverage: `full` when the listing is the whole catalogue, otherwise `first_page`.
 * - Price of a product: the price of its cheapest variant.
 * - `availableCount`: null when no product states its availability.
 */
export function summarize(listing: Listing | undefined, pageCurrency: string | undefined): Catalog {
  if (!listing) return noCatalog;
  const { products, total, complete } = listing;
  const currencies = products.map(({ currency }) => currency).filter((currency) => currency !== undefined);
  const prices = products.map(({ price }) => price).filter((price) => price !== undefined);
  const known = products.filter(({ available }) => available !== undefined);
  return {
    coverage: complete ? 'full' : 'first_page',
    productCount: Math.max(total ?? 0, products.length),
    availableCount: known.length === 0 ? null : known.filter(({ available }) => available).length,
    currency: currencies[0] ?? pageCurrency ?? 'XXX',
    priceRange: priceRangeOf(prices),
  };
}
