import { type ListedProduct, maxProducts } from './listing.ts';
import { isEqual, isLower, type Price } from './prices.ts';

/** A product as one part of the page describes it. */
export interface Sighting {
  /** The path of its page, without the query. Undefined if the part has no link. */
  path: string | undefined;
  /** The number of the product on its platform. */
  id?: string | undefined;
  name: string;
  price: Price | undefined;
  available?: boolean | undefined;
  currencies: readonly string[];
  words?: string;
  /** Structured data states a price more exactly than text. */
  structured: boolean;
  /** Whether the card has words in place of the price. */
  isAsked?: boolean;
  /** Whether this is a further variant of the product. The price is then the lowest of all variants. */
  isVariant?: boolean;
}

interface Known extends ListedProduct {
  structured: boolean;
  path: string | undefined;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Whether a product and a sighting with the same name are one product. A product has one address in each of its categories, and structured
 * data may name an address that the links of a copied page do not have.
 */
function isSame(known: Known, { path, price, structured }: Sighting): boolean {
  if (!path || !known.path || lastPart(path) === lastPart(known.path)) return true;
  return structured !== known.structured && Boolean(price && known.price && isEqual(price, known.price));
}

/** Extensions of programs that serve every product under one path, and the parameters that contain its number. */
const handlers = /\.(?:php|aspx?|jsp|cfm|cgi|pl|dll|mvc|do)$/i;
const numbers = /^(?:id|pid|no|nr|sku|code|item\w*|art\w*|prod\w*|product_?\w*|idproduct|p|a)$/i;

function idIn(query: URLSearchParams): string {
  for (const [name, value] of query) if (numbers.test(name) && value !== '') return `?${value.slice(0, 60)}`;
  return '';
}

/** Returns the path of a product page. It is the same for all links to the product. Undefined if the link leads to no page of the site. */
export function productPath(href: string | undefined, base: string): string | undefined {
  if (!href || href.length > 2000 || /^(?:#|javascript:|mailto:|tel:|data:)/i.test(href.trim())) return undefined;
  const url = URL.parse(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const route = url.searchParams.get('route');
  const number =
    url.searchParams.get('product_id') ?? url.searchParams.get('products_id') ?? url.searchParams.get('id_product');
  // Shops without readable addresses use one path for all products.
  if (number && /^[\w:{}-]{1,40}$/.test(number) && (!route || /product/.test(route)))
    return `?${number.replace(/[:{].*$/, '')}`;
  const query = handlers.test(url.pathname) ? idIn(url.searchParams) : '';
  const path = url.pathname
    .replace(/^.*\/collections\/[^/]+(?=\/products\/)/, '')
    .replace(/\/(?:index\.html?)?$/, '')
    .toLowerCase();
  return path === '' ? undefined : path + query;
}

const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200);

/**
 * The distinct products of a page. Sightings with the same path or the same number are one product. Sightings without a path are matched by
 * name, because structured data often has no path.
 */
export class ProductList {
  private readonly products: Known[] = [];
  private readonly byKey = new Map<string, Known>();
  /** Products by name. Null if several products have the name. */
  private readonly byName = new Map<string, Known | null>();

  get size(): number {
    return this.products.length;
  }

  add(sighting: Sighting): void {
    const { path, id, name } = sighting;
    const keys = [...(path ? [`path ${path}`] : []), ...(id ? [`id ${id}`] : [])];
    const named = nameKey(name);
    let known = keys.map((key) => this.byKey.get(key)).find((product) => product !== undefined);
    if (!known && named !== '') {
      const namesake = this.byName.get(named);
      if (namesake && isSame(namesake, sighting)) known = namesake;
    }
    if (known) merge(known, sighting);
    else {
      if (this.products.length >= maxProducts || (keys.length === 0 && named === '')) return;
      known = {
        price: sighting.price,
        available: sighting.available,
        currencies: sighting.currencies,
        words: `${sighting.words ?? ''} ${name}`.trim().slice(0, 400),
        structured: sighting.structured,
        path,
      };
      this.products.push(known);
    }
    for (const key of keys) if (!this.byKey.has(key)) this.byKey.set(key, known);
    known.path ??= path;
    if (named !== '') this.byName.set(named, this.byName.has(named) && this.byName.get(named) !== known ? null : known);
  }

  list(): ListedProduct[] {
    return this.products.map(({ price, available, currencies, words }) => ({ price, available, currencies, words }));
  }
}

function merge(known: Known, { price, available, currencies, structured, isVariant }: Sighting): void {
  if (price && (!known.price || (isVariant && structured === known.structured && isLower(price, known.price)))) {
    known.price = price;
  }
  if (available !== undefined)
    known.available = isVariant ? known.available || available : (known.available ?? available);
  if (currencies.length > 0 && (known.currencies.length === 0 || currencies.length < known.currencies.length)) {
    known.currencies = currencies;
  }
}
