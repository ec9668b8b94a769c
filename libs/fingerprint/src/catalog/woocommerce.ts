import { isObject, type Json } from '../json.ts';
import { wooCommercePageSize } from '../listing-resources.ts';
import type { Resource } from '../types.ts';
import { type ListedProduct, type Listing, maxProducts, objects, parseJson, wordsIn } from './listing.ts';
import { fromMinorUnits, type Price } from './prices.ts';
import { statedCurrencies } from './stated-currency.ts';

const isListing = ({ url, status }: Resource): boolean =>
  status === 200 && /\/wc\/store\/(?:v1\/)?products(?:[/?&]|$)/.test(decoded(url));

// Sites without pretty permalinks serve the API under ?rest_route=%2Fwc%2Fstore%2F…
function decoded(url: string): string {
  return url.slice(0, 2000).replace(/%2f/gi, '/');
}

/** Prices are strings with integers in minor units, beside the number of minor digits. */
function priceOf(prices: Json): Price | undefined {
  const range = isObject(prices.price_range) ? prices.price_range.min_amount : undefined;
  return fromMinorUnits(prices.price ?? range, Number(prices.currency_minor_unit ?? 2));
}

function productOf(product: Json): ListedProduct {
  const prices = isObject(product.prices) ? product.prices : {};
  return {
    price: priceOf(prices),
    available: typeof product.is_in_stock === 'boolean' ? product.is_in_stock : undefined,
    currencies: statedCurrencies(prices.currency_code),
    words: `${wordsIn(product.categories)} ${wordsIn(product.name)} ${wordsIn(product.tags)}`,
  };
}

function totalOf({ headers }: Resource): number | undefined {
  const entry = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'x-wp-total');
  const total = Number(entry?.[1] ?? Number.NaN);
  return Number.isInteger(total) && total >= 0 && total < 100_000_000 ? total : undefined;
}

function pageSizeOf(url: string): number {
  const asked = URL.canParse(url) ? Number(new URL(url).searchParams.get('per_page') ?? 10) : wooCommercePageSize;
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, wooCommercePageSize) : 10;
}

/** Reads the Store API of WooCommerce. */
export function wooCommerceListing(resources: readonly Resource[]): Listing | undefined {
  const seen = new Set<unknown>();
  const products: ListedProduct[] = [];
  let total: number | undefined;
  let complete = false;
  let found = false;
  for (const resource of resources.filter(isListing).slice(0, 10)) {
    const body = parseJson(resource.body);
    if (!Array.isArray(body)) continue;
    found = true;
    total ??= totalOf(resource);
    if (total === undefined && body.length < pageSizeOf(resource.url)) complete = true;
    if (products.length >= maxProducts) continue;
    for (const product of objects(body)) {
      if (product.id !== undefined && seen.has(product.id)) continue;
      seen.add(product.id);
      products.push(productOf(product));
    }
  }
  if (!found) return undefined;
  return {
    source: 'platform',
    products,
    total,
    complete: complete || (total !== undefined && products.length >= total),
  };
}
