import { type Element, Text } from 'domhandler';
import { wordSet } from '../words.ts';
import { currenciesIn } from './currencies.ts';
import { fromDecimal, fromLowest, isEqual, type PriceContext, plain, type ReadPrice, readPrice } from './prices.ts';
import { elementsIn, pushChildren, type VisitBudget } from './visit.ts';

/**
 * Finds the price that a buyer pays in a part of the page. Prices that are struck through, unit prices, rebates and instalments are left
 * out. The best element decides. The order is: an element that is marked as the current price (`special-price`, `ins`), an element that is
 * named a price, and a text that consists only of a price with its currency.
 */
const maxElements = 1000;
const maxPriceChars = 130;

const struck =
  /(?:^|[\s_-])(?:old|was|before|compare|crossed|strike|striked|strikethrough|non-sale|msrp|rrp|uvp|retail|previous|original)(?:$|[\s_-])|(?:old|compare|list|was|crossed|strike|original|before)(?:Price|_price|-price)|price-?old|line-through|(?:precio|prix|prezzo|preco|cena|preis)[_-]{0,2}(?:anterior|barr[eé]e?|stara|antiguo|vecchio|antigo|alt)(?:$|[\s_-])|alter[_-]?preis|(?:^|\s)(?:list|market|omnibus|lowest|pfand|delivery|deposit)[_-]?price|(?:^|\s)price__list/i;
const beside =
  /unit-?_?price|price-?_?unit|per-?unit|grundpreis|base-?price|price-tax|saving|you-?save|discount-?(?:percent|amount|label|badge)|percent|badge|install?ment|finance|klarna|afterpay|affirm|reward|points|(?:^|[\s_])shipping|screen-reader|visually-?hidden|sr-only|(?:^|\s)(?:cart|mini-?cart|basket|ratings?|reviews?)(?:$|\s)/i;
const now = /special|sale|new|now|current|final|actual|promo|offer|reduced|(?:^|[\s_-])ins(?:$|[\s_-])/i;
const priced =
  /price|amount|money|preis|prix|precio|prezzo|preco|cena|pris(?:$|[\s_-])|tutar|fiyat|harga|gia(?:$|[\s_-])/i;
/** Names of an element that describe its content besides its price: `with-list-price`, `has-old-price`. */
const contained = /(?:^|\s)(?:(?:with|has|have)[-_][\w-]{1,60}|badge-wrapper)(?=\s|$)/g;
const mayContain = /(?:with|has|have)[-_]|badge-wrapper/;
const hiddenTags = wordSet('script style noscript template del s strike select option textarea');

/** The price before a rebate, or without tax. A buyer pays it if there is no other price. */
const regular = /(?:^|[\s_-])regular(?:$|[\s_-])/i;
const untaxed = /(?:^|[\s_-])(?:ex|excl|excluding|without|net)[_-]?(?:tax|vat|btw|mwst)?(?:$|[\s_-])/i;

/** The meaning of an element's names for the prices in it. */
interface Marks {
  isLeftOut: boolean;
  isPriced: boolean;
  isNow: boolean;
  isRegular: boolean;
  isUntaxed: boolean;
}

export interface PriceBudget extends VisitBudget {
  /** Cards are read again with each level around them. A weak map would take longer. */
  readonly marks: Map<Element, Marks>;
}

export const priceBudget = (left: number): PriceBudget => ({ left, marks: new Map() });

function marksOf(element: Element, { marks: known }: PriceBudget): Marks {
  let marks = known.get(element);
  if (!marks) {
    marks = readMarks(element);
    known.set(element, marks);
  }
  return marks;
}

function readMarks({ name, attribs }: Element): Marks {
  // Wix marks its elements with `data-hook`.
  const label = `${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs['data-hook'] ?? ''}`.slice(0, 300);
  const own = mayContain.test(label) ? label.replace(contained, ' ') : label;
  const isLeftOut =
    hiddenTags.has(name) ||
    /line-through|display:\s?none/.test((attribs.style ?? '').slice(0, 200)) ||
    (own.length > 2 && (struck.test(own) || beside.test(own)));
  const isPriced =
    !isLeftOut &&
    (priced.test(label) ||
      name === 'ins' ||
      attribs.itemprop === 'price' ||
      attribs['data-price-amount'] !== undefined);
  return {
    isLeftOut,
    isPriced,
    isNow: name === 'ins' || attribs['data-price-type'] === 'finalPrice' || (isPriced && now.test(label)),
    isRegular: isPriced && regular.test(label),
    isUntaxed: isPriced && untaxed.test(label),
  };
}

const onlyText = ({ children }: Element): string =>
  children.length === 1 && children[0] instanceof Text ? children[0].data.slice(0, 10).trim() : '';

/** The text below `part`, without the elements that are left out. */
function textWithout(part: Element, maxChars: number, budget: PriceBudget): string {
  let text = '';
  const stack: (Element | Text)[] = [];
  pushChildren(stack, part, (child) => child);
  while (stack.length > 0 && text.length < maxChars && budget.left > 0) {
    budget.left--;
    const next = stack.pop();
    if (next instanceof Text) text += next.data.slice(0, maxChars);
    else if (next && !marksOf(next, budget).isLeftOut) {
      // Small digits are cents: <sup>95</sup>
      if (next.name === 'sup' && /\d\s*$/.test(text) && /^\d{2}$/.test(onlyText(next))) {
        text = `${text.trimEnd()}.${onlyText(next)}`;
        continue;
      }
      if (next.children.length > 0 && /[\d.,]$/.test(text)) text += ' ';
      pushChildren(stack, next, (child) => child);
    }
  }
  return text;
}

/** Whether the text has a currency or cents. A number alone may be a quantity. */
const isSigned = ({ currencies }: ReadPrice, text: string): boolean =>
  currencies.length > 0 || /\d[.,]\d{2}(?!\d)|[.,]\s?-|\d\s?:\s?-(?!\s?\d)/.test(plain(text));

/** Zero is not a price, because empty baskets and templates show it. */
const isPositive = (price: ReadPrice | undefined): boolean => price !== undefined && price.low.units > 0n;

const fewWords = /^[^\p{L}]*(?:\p{L}{1,4}(?!\p{L})\.?[^\p{L}]*){0,2}$/u;

/**
 * The price of an element that states one for machines. The page shows the price that a buyer pays. A text in the same currency therefore
 * decides. Null if the text has another number and its currency is unknown.
 */
export function statedPrice(
  element: Element,
  context: PriceContext,
  budget: PriceBudget,
): ReadPrice | null | undefined {
  const { content, 'data-price-amount': amount } = element.attribs;
  const exact = fromDecimal(amount);
  const stated = exact ? { low: exact, high: exact, currencies: [] } : readPrice(content, context);
  const text = textWithout(element, maxPriceChars, budget);
  const shown = readPrice(text, context);
  if (!stated || !shown) return stated;
  if (isEqual(stated.low, shown.low)) return { ...stated, currencies: shown.currencies };
  if (context.currency && shown.currencies.includes(context.currency)) return shown;
  return fewWords.test(text) ? null : stated;
}

/** Null if the element contradicts itself. */
function priceOf(element: Element, context: PriceContext, budget: PriceBudget): ReadPrice | null | undefined {
  const { itemprop, 'data-price-amount': amount } = element.attribs;
  const stated = amount !== undefined || itemprop === 'price' ? statedPrice(element, context, budget) : undefined;
  if (stated !== undefined) return stated;
  const text = textWithout(element, maxPriceChars, budget);
  const shown = text.length < maxPriceChars ? readPrice(text, context) : undefined;
  return shown && isSigned(shown, text) ? shown : undefined;
}

const isOnlyPrice = (text: string): boolean =>
  text.length < 60 && /\p{Nd}/u.test(text) && currenciesIn(text).length > 0 && fewWords.test(fromLowest(text));

/** Undefined if there is no price, or if an element contradicts itself. `isForeign`: whether a part belongs to another product. */
export function priceIn(
  part: Element,
  context: PriceContext,
  budget: PriceBudget,
  isForeign: (element: Element) => boolean = () => false,
): ReadPrice | undefined {
  let named: ReadPrice | undefined;
  let fallback: ReadPrice | undefined;
  let bare: ReadPrice | undefined;
  const none = { isNow: false, isRegular: false, isUntaxed: false };
  const stack: { element: Element | Text; above: typeof none }[] = [{ element: part, above: none }];
  for (let visited = 0; stack.length > 0 && visited < maxElements && budget.left > 0; visited++) {
    budget.left--;
    const { element, above } = stack.pop() as (typeof stack)[number];
    if (element instanceof Text) continue;
    const own = marksOf(element, budget);
    const { isLeftOut, isPriced } = own;
    if (element !== part && (isLeftOut || isForeign(element))) continue;
    const isNow = above.isNow || own.isNow;
    const isRegular = above.isRegular || own.isRegular;
    const isUntaxed = above.isUntaxed || own.isUntaxed;
    if (isPriced) {
      const stated = element === part ? undefined : priceOf(element, context, budget);
      if (stated === null) return undefined;
      const price = isPositive(stated) ? stated : undefined;
      if (price && isNow && !isUntaxed) return price;
      if (isRegular || isUntaxed) fallback ??= price;
      else named ??= price;
    } else if (!bare && isShort(element)) {
      const text = textWithout(element, 60, budget).trim();
      const price = isOnlyPrice(text) ? readPrice(text, context) : undefined;
      if (isPositive(price)) bare = price;
    }
    pushChildren(stack, element, (child) => ({ element: child, above: { isNow, isRegular, isUntaxed } }));
  }
  return named ?? fallback ?? bare;
}

const isShort = ({ children }: Element): boolean => children.length > 0 && children.length <= 3;

/** Whether an element for the price has words instead of a price: "Price on request". */
export function hasPriceInWords(part: Element, budget: PriceBudget): boolean {
  for (const element of elementsIn(part, budget, maxElements)) {
    const { isLeftOut, isPriced } = marksOf(element, budget);
    if (element === part || isLeftOut || !isPriced) continue;
    if (/^\D*\p{L}{3}\D*$/u.test(textWithout(element, maxPriceChars, budget))) return true;
  }
  return false;
}
