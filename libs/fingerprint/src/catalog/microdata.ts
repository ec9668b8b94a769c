import { type Element, Text } from 'domhandler';
import type { PageDocument } from '../page/document.ts';
import { decimalMarkOf } from './currencies.ts';
import { isAvailable } from './json-ld.ts';
import { type PriceBudget, priceBudget, priceIn, statedPrice } from './price-elements.ts';
import { lowestOf, type PriceContext, type ReadPrice, readPrice } from './prices.ts';
import { productPath, type Sighting } from './product-list.ts';
import { statedCurrencies } from './stated-currency.ts';
import { pushChildren, textIn, type VisitBudget } from './visit.ts';

/**
 * Reads products in microdata: `itemscope itemtype="https://schema.org/Product"` with `itemprop` members.
 *
 * - A member belongs to its nearest item. Members of offers count for the product around them.
 * - Bounds: the number of items, and the number of elements that are visited on a page.
 */
const maxItems = 400;
const maxVisits = 100_000;

const typeOf = ({ attribs }: Element): string =>
  /schema\.org\/(\w{1,40})\s*$/i.exec((attribs.itemtype ?? '').slice(0, 200))?.[1] ?? '';

const isProduct = (element: Element): boolean => /^(?:Individual)?Product(?:Group|Model)?$/i.test(typeOf(element));
const isOffer = (element: Element): boolean => /^(?:Aggregate)?Offer$|PriceSpecification$/i.test(typeOf(element));

function memberText(element: Element, budget: VisitBudget): string {
  const { attribs, name } = element;
  if (attribs.content !== undefined) return attribs.content.slice(0, 500);
  // Many themes mark the link of a name as the name itself.
  if (name === 'link' || (name === 'a' && !/\bname\b/.test(attribs.itemprop ?? '')))
    return (attribs.href ?? '').slice(0, 2000);
  if (name === 'img') return (attribs.alt ?? '').slice(0, 500);
  if (name === 'data') return (attribs.value ?? '').slice(0, 500);
  return textIn(element, budget);
}

/** Values of members. Prices are elements, because their value may need more than one attribute. */
interface Members {
  texts: Map<string, string[]>;
  prices: Map<string, Element[]>;
}

function append<Value>(map: Map<string, Value[]>, key: string, value: () => Value): void {
  const values = map.get(key) ?? [];
  if (values.length < 50) map.set(key, [...values, value()]);
}

/** Returns members of the item, including those of its offers. `isForeign`: whether a part belongs to another product. */
function membersOf(item: Element, budget: VisitBudget, isForeign: (element: Element) => boolean): Members {
  const members: Members = { texts: new Map(), prices: new Map() };
  const stack: { node: Element | Text; inOffer: boolean }[] = [];
  pushChildren(stack, item, (node) => ({ node, inOffer: false }));
  while (stack.length > 0 && budget.left > 0) {
    budget.left--;
    const { node, inOffer } = stack.pop() as (typeof stack)[number];
    // One item may wrap the whole page, including its related products.
    if (node instanceof Text || isForeign(node)) continue;
    const { itemprop = '', itemscope, itemtype } = node.attribs;
    const isItem = itemscope !== undefined || itemtype !== undefined;
    for (const name of isItem ? [] : itemprop.slice(0, 200).split(/\s+/, 5)) {
      if (/price$/i.test(name)) append(members.prices, inOffer ? `offers.${name}` : name, () => node);
      else if (name !== '') append(members.texts, name, () => memberText(node, budget));
    }
    if (isItem && !isOffer(node)) continue;
    pushChildren(stack, node, (child) => ({ node: child, inOffer: inOffer || isItem }));
  }
  return members;
}

function priceOf(element: Element, context: PriceContext, budget: PriceBudget): ReadPrice | undefined {
  const stated = statedPrice(element, context, budget);
  if (stated !== undefined) return stated ?? undefined;
  // Some themes also put the old price into the element.
  return readPrice(memberText(element, budget), context) ?? priceIn(element, context, budget);
}

export function microdataProducts(
  document: PageDocument,
  page: { base: string; language: string | undefined },
  isForeign: (element: Element, item: Element) => boolean,
): Sighting[] {
  const sightings: Sighting[] = [];
  const budget = priceBudget(maxVisits);
  for (const item of document.items.filter(isProduct).slice(0, maxItems)) {
    const { texts, prices } = membersOf(item, budget, (element) => isForeign(element, item));
    const name = texts.get('name')?.[0]?.trim() ?? '';
    const offered = prices.get('offers.lowPrice') ?? prices.get('offers.price');
    const stated = offered ?? prices.get('lowPrice') ?? prices.get('price');
    // A review of a product is not an offer.
    if (!stated || name === '') continue;
    const allowed = statedCurrencies(texts.get('priceCurrency')?.[0]);
    const currency = allowed.length === 1 ? allowed[0] : undefined;
    const context = { currency, decimalMark: decimalMarkOf(page.language, currency) };
    const read = stated.map((element) => priceOf(element, context, budget)).filter((price) => price !== undefined);
    const isOne = offered !== undefined || new Set(stated.map((element) => memberText(element, budget))).size === 1;
    const stock = (texts.get('availability') ?? []).map(isAvailable).filter((available) => available !== undefined);
    sightings.push({
      path: productPath(texts.get('url')?.[0] ?? item.attribs.itemid, page.base),
      name,
      // Without offers, several prices belong to several products.
      price: isOne ? lowestOf(read.map(({ low }) => low)) : undefined,
      available: stock.length > 0 ? stock.some((available) => available) : undefined,
      currencies: allowed.length > 0 ? allowed : (read[0]?.currencies ?? []),
      words: texts.get('category')?.[0] ?? '',
      structured: true,
    });
  }
  return sightings;
}
