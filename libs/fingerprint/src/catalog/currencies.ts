import data from '../data/currencies.rules.json' with { type: 'json' };

/** By currency, the number of digits after the decimal mark (ISO 4217), if it is not two. Source: `data/currencies.yaml`. */
const minorDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(data.minorDigits).flatMap(([digits, codes]) => codes.map((code) => [code, Number(digits)] as const)),
);

export const digitsOf = (currency: string | undefined): number => minorDigits.get(currency ?? '') ?? 2;

export type DecimalMark = '.' | ',';

/** Currencies of countries that write 1,299.00. Other countries write 1.299,00 or 1 299,00. */
const pointCurrencies = new Set(data.pointDecimals);
const commaLanguages =
  /^(?:de(?!-(?:ch|li))|fr(?!-ch)|it(?!-ch)|es(?!-(?:mx|us|gt|do|pe|pa|pr|sv|hn|ni|419))|pt|nl|pl|sv|da|nb|nn|no|fi|cs|sk|hu|ro|bg|hr|sl|sr|bs|mk|sq|uk|ru|be|el|tr|id|vi|lt|lv|et|ca|gl|eu|is|az|kk|ka|hy)(?:[-_]|$)/i;
const pointLanguages = /^(?:en|ja|zh|ko|th|he|iw|hi|bn|ms|tl|fil|de-(?:ch|li)|es-)(?:[-_]|$|(?<=-))/i;

/** The decimal mark of the page's language and currency. Undefined if both are unknown, or if they disagree. */
export function decimalMarkOf(language: string | undefined, currency: string | undefined): DecimalMark | undefined {
  const ofCurrency = currency ? (pointCurrencies.has(currency) ? '.' : ',') : undefined;
  const tag = (language ?? '').slice(0, 20).replace('_', '-');
  const ofLanguage = commaLanguages.test(tag) ? ',' : pointLanguages.test(tag) ? '.' : undefined;
  if (ofCurrency && ofLanguage && ofCurrency !== ofLanguage) return undefined;
  return ofCurrency ?? ofLanguage;
}

/** Signs, the longest first. `currencies` has each currency that uses the sign. If there are several, only other evidence selects one. */
export const signs = data.signs.map(({ form, flags, currencies }) => ({ form: new RegExp(form, flags), currencies }));

/** Codes that appear beside prices. Not every group of three letters is a currency: `OFF`, `NEW`, `TTC`, `VAT`. */
const codes = new RegExp(`(?<![A-Z])(${data.codes.join('|')})(?![A-Z])`);

const otherCodes: Readonly<Record<string, string>> = data.otherCodes;

/**
 * The toman has no ISO 4217 code. It is ten rials, but shops that write tomans also state rials, and write "thousand tomans" for the prices
 * of goods. Prices in tomans are therefore refused.
 */
export const tomans = /تومان|تومن|(?<!\p{L})tomans?(?!\p{L})/iu;

/** A text that has only digits and punctuation names no currency. */
const anyWord = /[^\d\s.,'*-]/;

/** The currencies that the words and signs of a price allow. Empty if the text has none. */
export function currenciesIn(text: string): readonly string[] {
  if (!anyWord.test(text)) return [];
  const code = codes.exec(text)?.[1];
  if (code) return [otherCodes[code] ?? code];
  return signs.find(({ form }) => form.test(text))?.currencies ?? [];
}

/** Facts about the store that do not come from its prices. */
export interface StoreFacts {
  /** ISO 4217, from the page's settings. */
  currency: string | undefined;
  /** The ISO 3166-1 alpha-2 code of the merchant's country. */
  country: string | undefined;
}

/**
 * The currency in `allowed` that the settings or the merchant's country select. A bare `$` is the dollar of the United States if the
 * country has no dollar or peso of its own. Without settings and country, it selects no currency.
 */
export function chosenCurrency(allowed: readonly string[], facts: StoreFacts): string | undefined {
  if (allowed.length <= 1) return allowed[0];
  if (facts.currency && allowed.includes(facts.currency)) return facts.currency;
  const { country } = facts;
  if (country === undefined || country === 'ZZ') return undefined;
  return allowed.find((code) => code.startsWith(country)) ?? (allowed[0] === 'USD' ? 'USD' : undefined);
}
