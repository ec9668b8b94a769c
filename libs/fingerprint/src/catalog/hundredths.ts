import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { fromDecimal } from './prices.ts';
import type { Sighting } from './product-list.ts';

/**
 * Corrects prices of Shopify themes that write hundredths where structured data has units. A theme does this for all products of the page.
 *
 * - Bounds: the text of the page is read only if it is needed, up to {@link maxTextChars}, and for at most {@link maxAmounts} amounts.
 */
const maxCentPrices = 300;
const maxTextChars = 200_000;
const maxAmounts = 40;
const centPrice = /"price":(\d{3,11})(?=[,}])/g;

/** Prices in hundredths: those that Shopify prints for its own scripts, and those that the page states for other sites. */
function hundredthsOf({ inline, metas }: PageEvidence, products: readonly Sighting[]): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  const at = inline.indexOf('"variants":[');
  if (at !== -1)
    for (const [, price = ''] of inline.slice(at, at + 200_000).matchAll(centPrice)) {
      found.add(BigInt(price));
      if (found.size >= maxCentPrices) break;
    }
  const stated = fromDecimal(metas.get('og:price:amount')?.[0]?.replace(/,(?=\d{3})/g, ''));
  for (const price of [stated, ...products.map(({ price }) => price)])
    if (price && price.scale <= 2) found.add(price.units * 10n ** BigInt(2 - price.scale));
  return found;
}

const sign = '(?:[$€£¥₹₩₽₺₴₪₫₱฿]|kr\\.?|zł|R\\$|Rs\\.?|[A-Z]{3})';
/** A pattern of a number with or without marks between its thousands. */
const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, "[.,'’ ]?");

/** Whether a text shows the hundredths of a number as a price, but does not show the number itself as a price. */
function showsAsHundredths(text: string, units: bigint): boolean {
  const digits = String(units);
  if (digits.length < 3 || digits.length > 9) return false;
  const [whole, rest] = [grouped(digits.slice(0, -2)), digits.slice(-2)];
  const bare = `${whole}(?![\\d]|[.,'’]\\d)`;
  const shown = [
    `${whole}[.,]${rest}(?!\\d)`,
    ...(rest === '00' ? [`(?<=${sign}\\s?)${bare}|${bare}(?=\\s?${sign})`] : []),
  ];
  if (!new RegExp(`(?<![\\d.,])(?:${shown.join('|')})`).test(text)) return false;
  const asUnits = `${grouped(digits)}(?:[.,]\\d{2})?(?!\\d|[.,]\\d)`;
  return !new RegExp(`(?<![\\d.,])(?:(?<=${sign}\\s?)${asUnits}|${asUnits}(?=\\s?${sign}))`).test(text);
}

/** Whether the page has scripts or files of Shopify. */
export const isOfShopify = ({ inlineWords, scripts, assets }: PageEvidence): boolean =>
  inlineWords.has('Shopify') || [...scripts.map(({ url }) => url), ...assets].some((url) => ofPlatform.test(url));
const ofPlatform = /^(?:https?:)?\/\/cdn\.shopify\.com\/s\/files\/|^\/cdn\/shop\/t\//;

/** The products with the prices that the page shows. `printed`: the products that the theme prints as JSON, in units. */
export function withoutHundredths(
  described: readonly Sighting[],
  page: PageEvidence,
  printed: readonly Sighting[],
): readonly Sighting[] {
  const prices = described.flatMap(({ price }) => price ?? []);
  if (prices.length === 0 || !prices.every(({ scale }) => scale === 0)) return described;
  const hundredths = hundredthsOf(page, printed);
  const others = [...new Set(prices.map(({ units }) => units))].filter((units) => !hundredths.has(units));
  if (others.length > 0) {
    const [body] = page.document.byTag('body');
    const text = body ? textOf(body, maxTextChars).replaceAll('\u00a0', ' ') : '';
    if (!others.slice(0, maxAmounts).every((units) => showsAsHundredths(text, units))) return described;
  }
  return described.map((one) => (one.price ? { ...one, price: { units: one.price.units, scale: 2 } } : one));
}
