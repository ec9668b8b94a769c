import { isObject, type Json } from '../json.ts';
import { scriptText } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { ProductCards } from './cards.ts';
import { decimalMarkOf } from './currencies.ts';
import { isOfShopify, withoutHundredths } from './hundredths.ts';
import { jsonLdProducts } from './json-ld.ts';
import { type Listing, objects, parseJson } from './listing.ts';
import { microdataProducts } from './microdata.ts';
import { fromDecimal, fromMinorUnits, lowestOf, type Price, readPrice } from './prices.ts';
import { ProductList, productPath, type Sighting } from './product-list.ts';
import { statedCurrencies } from './stated-currency.ts';
import { textIn, type VisitBudget } from './visit.ts';

/**
 * The products that one page shows. Sources: JSON-LD, microdata, the product that a platform prints as JSON, and the cards of its
 * templates. Each source adds the products that the others do not have. The catalogue may have more products. Such a listing is therefore
 * never complete.
 */
interface Page {
  base: string;
  language: string | undefined;
  currency: string | undefined;
}

const maxBlockChars = 300_000;

/** Body classes and ids on the product pages of platforms. */
const productBody =
  /(?:^|\s)(?:single-product|catalog-product-view|product-product(?:-\d+)?|template-product|product-page|page-product|product-details-page|type-product|productinfoBody|is-ctl-product)(?:$|\s)/;

const statedProductPage = /"page(?:T|_t)ype":"product"/;

/** Why the page is a product page. `stated`: the page states it. `form`: it looks like one, but a home page may, too. */
function productPageBy({ document, metas, url, inline, inlineWords }: PageEvidence): 'stated' | 'form' | undefined {
  if (metas.get('og:type')?.some((type) => /^(?:og:)?product(?:\.item)?$/.test(type))) return 'stated';
  const { class: names = '', id = '' } = document.byTag('body')[0]?.attribs ?? {};
  if (productBody.test(`${names.slice(0, 2000)} ${id}`) || id === 'product') return 'stated';
  const statesType = inlineWords.has('pageType') || inlineWords.has('page_type');
  if (statesType && statedProductPage.test(inline.slice(0, 400_000))) return 'stated';
  if (/[?&]route=product(?:\/|%2f)product(?:&|$)/i.test(url?.search ?? '')) return 'stated';
  const ids = new Set<string>();
  for (const { attribs } of document.byTag('input')) {
    if (/^(?:product_id|products_id|id_product|add-to-cart|product)$/.test(attribs.name ?? '') && attribs.value)
      ids.add(attribs.value);
  }
  return ids.size === 1 ? 'form' : undefined;
}

/** The product of a theme that prints it with `| json`. Prices are integers in hundredths for every currency. */
function shopifyProduct(product: Json): Sighting | undefined {
  const { handle, title, variants, price } = product;
  if (typeof handle !== 'string' || typeof title !== 'string' || !Array.isArray(variants)) return undefined;
  const sold = objects(variants);
  const prices = [price, ...sold.map((variant) => variant.price)].map((value) =>
    typeof value === 'number' ? fromMinorUnits(value, 2) : undefined,
  );
  const lowest = lowestOf(prices.filter((value) => value !== undefined));
  const stock = sold.map(({ available }) => available).filter((available) => typeof available === 'boolean');
  return {
    path: `/products/${handle.toLowerCase()}`,
    name: title,
    price: lowest,
    available: stock.length > 0 ? stock.some((available) => available) : undefined,
    currencies: [],
    words: typeof product.type === 'string' ? product.type.slice(0, 200) : '',
    structured: true,
  };
}

function shopifyProducts({ document }: PageEvidence): Sighting[] {
  const products: Sighting[] = [];
  for (const script of document.byTag('script').slice(0, 300)) {
    if (!/^application\/json/i.test(script.attribs.type ?? '')) continue;
    const text = scriptText(script);
    if (text.length > maxBlockChars || !text.includes('"variants"') || !text.includes('"handle"')) continue;
    const value = parseJson(text);
    const roots = Array.isArray(value)
      ? objects(value)
      : isObject(value)
        ? [value, ...(isObject(value.product) ? [value.product] : [])]
        : [];
    products.push(...roots.map(shopifyProduct).filter((product) => product !== undefined));
    if (products.length > 50) break;
  }
  return products;
}

/** The prices of the variations that WooCommerce prints for its form. They are the prices that it displays. */
function wooCommercePrices(document: PageEvidence['document']): Price[] {
  const form = document.byClass('variations_form')[0];
  const text = form?.attribs['data-product_variations'] ?? '';
  if (text.length < 2 || text.length > maxBlockChars) return [];
  return objects(parseJson(text))
    .map(({ display_price: price }) => fromDecimal(price))
    .filter((price) => price !== undefined);
}

/** The product whose data PrestaShop prints as JSON. */
function prestaShopProduct(document: PageEvidence['document']): Sighting | undefined {
  const text = document.byId('product-details')[0]?.attribs['data-product'] ?? '';
  const product = text.length > 2 && text.length <= maxBlockChars ? parseJson(text) : undefined;
  if (!isObject(product) || typeof product.name !== 'string') return undefined;
  return {
    path: undefined,
    name: product.name,
    price: fromDecimal(product.price_amount),
    currencies: [],
    structured: true,
  };
}

/** The Open Graph description of one product. */
function openGraphProduct({ metas }: PageEvidence, { language }: Page): Sighting | undefined {
  const first = (...names: string[]) => names.map((name) => metas.get(name)?.[0]).find((value) => value);
  const name = first('og:title');
  const amount = first('product:sale_price:amount', 'product:price:amount', 'og:price:amount');
  if (!name || !amount) return undefined;
  const stated = statedCurrencies(first('product:sale_price:currency', 'product:price:currency', 'og:price:currency'));
  const currency = stated.length === 1 ? stated[0] : undefined;
  const read = readPrice(amount, { currency, decimalMark: decimalMarkOf(language, currency) });
  const currencies = stated.length > 0 ? stated : (read?.currencies ?? []);
  return read && { path: undefined, name, price: read.low, currencies, structured: true };
}

const headingOf = ({ document }: PageEvidence): string => {
  const budget: VisitBudget = { left: 2000 };
  for (const heading of document.byTag('h1').slice(0, 20)) {
    const text = textIn(heading, budget);
    if (text !== '') return text;
  }
  return '';
};

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a description is about the product of the page. A description without an address is compared by its name. */
function isMain({ path, name }: Sighting, ownPath: string, titles: readonly string[]): boolean {
  if (path !== undefined) return path === ownPath;
  const own = letters(name);
  return own.length > 2 && titles.some((title) => title.length > 2 && (title.startsWith(own) || own.startsWith(title)));
}

export function pageListing(evidence: PageEvidence, currency: string | undefined): Listing | undefined {
  const { document, jsonLd, metas, url } = evidence;
  const { canonical } = document;
  const language = document.byTag('html')[0]?.attribs.lang;
  const base = url?.href ?? (canonical && URL.canParse(canonical) ? canonical : 'https://page.invalid/');
  const page: Page = { base, language, currency };
  const kind = productPageBy(evidence);
  const isProduct = kind !== undefined;
  const ownPath = isProduct ? (productPath(canonical ?? base, base) ?? '/') : undefined;
  const context = { currency, decimalMark: decimalMarkOf(language, currency) };
  const titles = [headingOf(evidence), metas.get('og:title')?.[0] ?? ''].map(letters);
  const isOwn = (sighting: Sighting): boolean => ownPath !== undefined && isMain(sighting, ownPath, titles);

  const cards = new ProductCards(document, { base, ownPath, context });
  const structured = [
    ...jsonLdProducts(jsonLd, page),
    ...microdataProducts(document, page, (element, item) => cards.isForeign(element, item)),
  ];
  // Themes also print products that they do not show.
  const printed = shopifyProducts(evidence);
  const described = [
    ...printed.filter(isOwn),
    ...(isOfShopify(evidence) ? withoutHundredths(structured, evidence, printed) : structured),
  ];
  const presta = prestaShopProduct(document);
  if (presta) described.push(presta);
  const own = described.filter(isOwn).map((sighting) => ({ ...sighting, id: 'page' }));
  const only = described.length === 1 && described[0]?.price !== undefined ? described : [];
  const product = own.some(({ price }) => price !== undefined) ? own : isProduct ? only : [];
  const shown = isProduct && product.length === 0 ? shownProduct(evidence, page, cards) : undefined;

  const list = new ProductList();
  // On a product page, the other products are related ones.
  if (product.length > 0 && isProduct) for (const sighting of product) list.add(sighting);
  else {
    for (const sighting of described) list.add(isOwn(sighting) ? { ...sighting, id: 'page' } : sighting);
    if (shown) list.add({ ...shown, id: 'page' });
    const areSold = cards.products.some(({ price }) => price !== undefined);
    if (kind !== 'stated' || !shown)
      for (const card of cards.products) if (card.price || card.isAsked || !areSold) list.add(card);
  }
  return list.size === 0 ? undefined : { source: 'page', products: list.list(), total: undefined, complete: false };
}

/** The product of a product page that has no description of it. */
function shownProduct(evidence: PageEvidence, page: Page, cards: ProductCards): Sighting | undefined {
  // Some platforms give other sites the price without tax. The page shows the price that a buyer pays.
  const product = cards.main() ?? openGraphProduct(evidence, page);
  return product && { ...product, price: lowestOf(wooCommercePrices(evidence.document)) ?? product.price };
}
