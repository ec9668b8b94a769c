import { countOf } from '../count-of.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { Catalog } from '../types.ts';
import { chosenCurrency, type StoreFacts } from './currencies.ts';
import type { ListedProduct, Listing } from './listing.ts';
import { pageListing } from './page-products.ts';
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

/** The listing of the platform if it exists, otherwise the products that the page shows. */
export function readListing(evidence: PageEvidence, currency: string | undefined): Listing | undefined {
  const { resources } = evidence;
  return shopifyListing(resources) ?? wooCommerceListing(resources) ?? pageListing(evidence, currency);
}

/** The currency that most products allow. */
function currencyOf(products: readonly ListedProduct[], facts: StoreFacts): string | undefined {
  const chosen = products.flatMap(({ currencies }) =>
    currencies.length === 0 ? [] : (chosenCurrency(currencies, facts) ?? []),
  );
  const [most] = [...countOf(chosen)].sort((one, other) => other[1] - one[1]);
  if (most) return most[0];
  return products.some(({ currencies }) => currencies.length > 0) ? undefined : facts.currency;
}

/**
 * Summarizes a listing as counts and price quartiles.
 *
 * - Coverage: `full` if the listing is the whole catalogue, otherwise `first_page`.
 * - Price of a product: the price of its cheapest variant. Prices in other currencies are left out.
 * - A price that cannot be read is left out. If no price is left, the prices are those of {@link noCatalog}.
 * - `availableCount`: null if no product of a feed states its availability, or if not every product of a page does.
 */
export function summarize(listing: Listing | undefined, facts: StoreFacts): Catalog {
  if (!listing) return noCatalog;
  const { source, products, total, complete } = listing;
  const currency = currencyOf(products, facts);
  const isIn = ({ currencies }: ListedProduct): boolean =>
    currency === undefined || currencies.length === 0 || currencies.includes(currency);
  const prices = products
    .filter(isIn)
    .map(({ price }) => price)
    .filter((price) => price !== undefined);
  const isPriced = prices.some(({ units }) => units > 0n);
  const stated = products.filter(({ available }) => available !== undefined);
  return {
    coverage: complete ? 'full' : 'first_page',
    productCount: Math.max(total ?? 0, products.length),
    availableCount:
      stated.length < (source === 'page' ? products.length : 1)
        ? null
        : stated.filter(({ available }) => available).length,
    currency: isPriced && currency ? currency : noCatalog.currency,
    priceRange: isPriced ? priceRangeOf(prices, currency) : noCatalog.priceRange,
  };
}
