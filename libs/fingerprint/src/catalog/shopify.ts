import { isObject, type Json } from '../json.ts';
import { shopifyPageSize } from '../listing-resources.ts';
import type { Resource } from '../types.ts';
import { type ListedProduct, type Listing, objects, parseJson, wordsIn } from './listing.ts';
import { fromDecimal, lowestOf } from './prices.ts';

const isListing = ({ url, status }: Resource): boolean =>
  status === 200 && /\/products\.json(?:\?|$)/.test(url.slice(0, 2000));

function limitOf(url: string): number {
  const limit = URL.canParse(url) ? Number(new URL(url).searchParams.get('limit') ?? 30) : shopifyPageSize;
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, shopifyPageSize) : 30;
}

function productOf(product: Json): ListedProduct {
  const variants = objects(product.variants).slice(0, 100);
  const prices = variants.map(({ price }) => fromDecimal(price)).filter((price) => price !== undefined);
  const stock = variants.map(({ available }) => available).filter((available) => typeof available === 'boolean');
  return {
    price: lowestOf(prices),
    available: stock.length > 0 ? stock.some((available) => available) : undefined,
    currencies: [],
    words: `${wordsIn(product.product_type)} ${wordsIn(product.title)} ${wordsIn(product.tags)}`,
  };
}

/** Reads `/products.json`. Prices are strings in major units. The feed does not name the currency. */
export function shopifyListing(resources: readonly Resource[]): Listing | undefined {
  const seen = new Set<unknown>();
  const products: ListedProduct[] = [];
  let complete = false;
  let found = false;
  for (const resource of resources.filter(isListing).slice(0, 10)) {
    const body = parseJson(resource.body);
    if (!isObject(body) || !Array.isArray(body.products)) continue;
    found = true;
    if (body.products.length < limitOf(resource.url)) complete = true;
    for (const product of objects(body.products)) {
      const id = product.id ?? product.handle;
      if (id !== undefined && seen.has(id)) continue;
      seen.add(id);
      products.push(productOf(product));
    }
  }
  return found ? { source: 'platform', products, total: undefined, complete } : undefined;
}
