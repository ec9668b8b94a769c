import { currencyCode } from '../catalog/stated-currency.ts';
import { countOf } from '../count-of.ts';
import data from '../data/currencies.rules.json' with { type: 'json' };
import { oncePer } from '../once.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { PlatformShop } from './platform-shop.ts';
import type { VisibleText } from './visible-text.ts';

// Platforms print their configuration into the page in different forms.
const inlineCurrencies = [
  /Shopify\.currency\s{0,4}=\s{0,4}\{\s{0,4}"active":\s{0,4}"([A-Z]{3})"/,
  /"selectedCurrency"\s{0,4}:\s{0,4}"([A-Z]{3})"/,
  /"currency(?:_code|Code|_iso_code|IsoCode)?"\s{0,4}:\s{0,4}"([A-Z]{3})"/,
  /"iso_code"\s{0,4}:\s{0,4}"([A-Z]{3})"/,
  /(?:currencyCode|storeCurrency|currency_code|priceCurrency|currency)["']?\s{0,4}[:=]\s{0,4}["']([A-Z]{3})["']/,
];
/** Settings with other names. They are searched only near one of their words. */
const nearCurrencies = [
  /(?:active|default|base|store|shop|payment)_?[cC]urrency(?:_?[cC]ode)?["']?\s{0,4}[:=]\s{0,4}["']([A-Z]{3})["']/,
  /[cC]urrency(?:_iso(?:_code)?|Iso(?:Code)?)["']?\s{0,4}[:=]\s{0,4}["']([A-Z]{3})["']/,
  /(?<![a-zA-Z_])[cC]urrency["']?\s{0,4}[:=]\s{0,4}\{[^{}]{0,60}?\b(?:code|iso_?[cC]ode|iso)["']?\s{0,4}:\s{0,4}["']([A-Z]{3})["']/,
];
const maxWords = 100;
const charsBefore = 20;
const charsAfter = 140;
/** Settings with a sign instead of the code, and formats of prices: `"€{{amount}}"`, `"%s\u00a0\u20ac"`. */
const inlineSigns = [
  /[cC]urrency_?(?:format_)?(?:[sS]ymbol|[sS]ign)["']?\s{0,4}[:=]\s{0,4}["']([^"'\n]{1,16})["']/,
  /(?:[mM]oney_?[fF]ormat|"priceFormat"\s{0,4}:\s{0,4}\{\s{0,4}"pattern)["']?\s{0,4}[:=]\s{0,4}["']([^"'\n]{2,60})["']/,
];
const currencyAttribute = /^data-(?:(?:shop|store|active|default|base)-)?currency(?:-?(?:code|iso))?$/;
const placeholder = /\{\{[^{}]{1,40}\}\}|%s|<[^<>]{1,40}>/g;
const escaped = /\\u([0-9a-fA-F]{4})/g;

/** Returns the currency of the store, or undefined. Meta tags and structured data have precedence over configuration. */
export function pageCurrency({ metas, inline, inlineWords, jsonLd, document }: PageEvidence): string | undefined {
  for (const name of ['product:price:currency', 'og:price:currency', 'product:sale_price:currency']) {
    const code = currencyCode(metas.get(name)?.[0]);
    if (code) return code;
  }
  for (const { value } of jsonLd) {
    const code = currencyCode(value.priceCurrency ?? value.currenciesAccepted);
    if (code) return code;
  }
  const marked = document.byTag('meta').find(({ attribs }) => attribs.itemprop === 'priceCurrency');
  const code = currencyCode(marked?.attribs.content);
  if (code) return code;
  for (const tag of ['body', 'html']) {
    const { attribs = {} } = document.byTag(tag)[0] ?? {};
    for (const name in attribs) {
      const found = name.includes('currency') && currencyAttribute.test(name) ? currencyCode(attribs[name]) : undefined;
      if (found) return found;
    }
  }
  if (!inlineWords.has('urrency') && !inlineWords.has('iso_code') && !inlineWords.has('oney')) return undefined;
  return firstCode(inlineCurrencies, inline) ?? nearCurrency(inline);
}

function firstCode(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const code = currencyCode(pattern.exec(text)?.[1]);
    if (code) return code;
  }
  return undefined;
}

function nearCurrency(inline: string): string | undefined {
  const near: string[] = [];
  for (const word of ['urrency', 'oney', 'priceFormat'])
    for (let at = inline.indexOf(word); at !== -1 && near.length < maxWords; at = inline.indexOf(word, at + charsAfter))
      near.push(inline.slice(Math.max(0, at - charsBefore), at + charsAfter));
  const text = near.join('\n');
  const code = firstCode(nearCurrencies, text);
  if (code) return code;
  for (const pattern of inlineSigns) {
    const form = pattern.exec(text)?.[1]?.replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    const found = currencyCode(form?.replace(placeholder, ''));
    if (found) return found;
  }
  return undefined;
}

/** Price signs of a single currency. The dollar sign alone and "kr" belong to several currencies. */
const signCodes = new Map(data.visibleSigns.map(({ sign, currency }) => [sign, currency]));
/** Signs that are also words or units, with the languages in which they are prices. */
const signLanguages = new Map(data.visibleSigns.map(({ sign, languages }) => [sign, languages]));
const codes = data.visibleCodes.join('|');
const written = [...signCodes.keys()]
  .sort((one, other) => other.length - one.length)
  .map((sign) => sign.replace(/[$./]/g, '\\$&'))
  .join('|');
const number = "\\d{1,3}(?:[\\s.,'’]?\\d{3}){0,3}(?:[.,]\\d{1,2})?";
const firsts = [...signCodes.keys(), ...data.visibleCodes]
  .map(([first]) => first)
  .join('')
  .replaceAll('$', '\\$');
// A code needs a space before its number, because "COP21" is a conference. The look-ahead reads the first character first, because few
// places start a sign.
const priced = new RegExp(
  `(?=[${firsts}])(?<![\\p{L}\\p{N}])(?:(${written})\\s?|(${codes})\\s)${number}(?![\\d%])|(?<![\\d.,])${number}(?:,[-–])?\\s?(${written}|${codes})(?![\\p{L}])`,
  'gu',
);
/**
 * Dinars of Tunisia and of Algeria. "DT 770" is a model, and "DA 45" is a score of a website. The sign must therefore be after the number
 * on the same line, without a further number. A price in Algeria has at least three digits.
 */
const dinars: readonly (readonly [string, RegExp])[] = [
  [
    'TND',
    /(?<![\d.,\p{L}])\d{1,3}(?:[ \u00a0\u202f.,]?\d{3}){0,3}(?:[.,]\d{1,3})?[ \u00a0\u202f]?DT(?![\p{L}\p{N}]|[ \u00a0\u202f]\d)/gu,
  ],
  [
    'DZD',
    /(?<![\d.,\p{L}])\d{1,3}(?:[ \u00a0\u202f.,]?\d{3}){0,3}(?<=\d[ \u00a0\u202f.,]?\d{2})(?:[.,]\d{1,2})?[ \u00a0\u202f]?DA(?![\p{L}\p{N}]|[ \u00a0\u202f]\d)/gu,
  ],
];
const dinarLanguages: ReadonlySet<string> = new Set(['fr', 'ar']);
const dollars = /(?<![\p{L}\p{N}])\$\s?\d/gu;
const crowns = /\d\s?kr\b|\bkr\.?\s?\d|\d,-(?!\d)/gi;
const rupees = /\bRs\.?\s?\d/g;
const crownLanguages: Readonly<Record<string, string>> = {
  sv: 'SEK',
  da: 'DKK',
  nb: 'NOK',
  nn: 'NOK',
  no: 'NOK',
  is: 'ISK',
};
const maxPricedChars = 40_000;
const maxPrices = 400;

interface PriceMarks {
  /** The lines of the page that may have prices. */
  text: string;
  /** Signs and codes in the order of their first prices. */
  signs: ReadonlyMap<string, number>;
  dollars: number;
  rupees: number;
}

/** Cached, because the country and the status of a store both need the prices. */
const priceMarks = oncePer(({ lines }: VisibleText): PriceMarks => {
  const text = linesWithNumbers(lines);
  const found = text.matchAll(priced).take(maxPrices);
  const signs = countOf(found.map(([, before, code, after]) => before ?? code ?? after ?? ''));
  return { text, signs, dollars: count(text, dollars), rupees: count(text, rupees) };
});

/**
 * Returns the lines with a digit and the lines next to them, because a sign may be above or below its number. At most
 * {@link maxPricedChars} characters are read.
 */
function linesWithNumbers(lines: readonly string[]): string {
  const read: string[] = [];
  for (let at = 0, left = maxPricedChars; at < lines.length && left > 0; at++) {
    const line = (lines[at] as string).slice(0, left);
    left -= line.length + 1;
    read.push(line);
  }
  const hasNumber = read.map((line) => /\d/.test(line));
  return read.filter((_, at) => hasNumber[at - 1] || hasNumber[at] || hasNumber[at + 1]).join('\n');
}

/** Returns the number of visible prices by currency. `$` stands for dollars of any country, `Rs` for rupees of any country. */
export function visiblePrices(visible: VisibleText, language: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (code: string, times: number): void => {
    if (times > 0) counts.set(code, (counts.get(code) ?? 0) + times);
  };
  const marks = priceMarks(visible);
  for (const [sign, times] of marks.signs)
    if (signLanguages.get(sign)?.includes(language) !== false) add(signCodes.get(sign) ?? sign, times);
  add('$', marks.dollars);
  add('Rs', marks.rupees);
  if (dinarLanguages.has(language)) for (const [code, form] of dinars) add(code, count(marks.text, form));
  const crown = crownLanguages[language];
  if (crown) add(crown, count(marks.text, crowns));
  return counts;
}

/** Whether only a sign of two common letters shows the currency. The country then needs a second trace. */
export const isByLettersOnly = (visible: VisibleText, code: string): boolean =>
  dinars.some(([currency]) => currency === code) && !priceMarks(visible).signs.has(code);

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern).take(maxPrices)].length;

/** Ids of lists of a store's currencies: Magento 2, OpenCart, PrestaShop. A store with one currency has no list. */
const currencyBlocks = ['switcher-currency', 'form-currency', '_desktop_currency_selector', 'currencies-block-top'];

const currencyLink = /[?&](?:currency|setcurrency|___currency|curr|id_currency)=(\w{1,5})/i;
const currencyChoice = /currenc|devise|moneda|waehrung|währung|valuta/i;

/** Whether the visitor can choose the currency. The currency of the prices is then no evidence about the store. */
export function offersCurrencies({ document }: PageEvidence): boolean {
  if (currencyBlocks.some((id) => document.byId(id).length > 0)) return true;
  for (const select of document.byTag('select').slice(0, 40)) {
    const { name = '', id = '', class: classes = '' } = select.attribs;
    if (!currencyChoice.test(`${name} ${id} ${classes}`.slice(0, 300))) continue;
    if (select.children.filter((child) => 'attribs' in child).length >= 2) return true;
  }
  const chosen = document
    .byTag('a')
    .flatMap(({ attribs }) => currencyLink.exec((attribs.href ?? '').slice(0, 500))?.[1] ?? []);
  return new Set(chosen).size >= 2;
}

/**
 * Returns the currency in which the store sells, if that currency is evidence of its country. `visible`: see {@link visiblePrices}.
 * `configured`: see {@link pageCurrency}.
 */
export function baseCurrency(
  page: PageEvidence,
  shop: PlatformShop,
  visible: ReadonlyMap<string, number>,
  configured: string | undefined,
): string | undefined {
  if (shop.currency) return shop.currency;
  const hasShopifyCurrency = page.inlineWords.has('Shopify.currency') && /Shopify\.currency\s{0,4}=/.test(page.inline);
  if (hasShopifyCurrency || offersCurrencies(page)) return undefined;
  const prices = [...visible].sort(([, one], [, other]) => other - one);
  const total = prices.reduce((sum, [, times]) => sum + times, 0);
  const [code, times] = prices[0] ?? ['', 0];
  if ((times >= 2 || total === 1) && times >= total * 0.7) {
    if (code === '$' || code === 'Rs') return configured;
    return configured && configured !== code && times < 4 ? undefined : code;
  }
  return total === 0 || prices.some(([seen]) => seen === configured || seen === '$') ? configured : undefined;
}
