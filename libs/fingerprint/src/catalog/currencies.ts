/**
 * What a price needs to know of its currency: the number of its minor digits (ISO 4217), how people write it, and which
 * signs mean it.
 */
const minorDigits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
};

export const digitsOf = (currency: string | undefined): number => minorDigits[currency ?? ''] ?? 2;

export type DecimalMark = '.' | ',';

/** Currencies of countries that write 1,299.00. The others write 1.299,00 or 1 299,00. */
const pointCurrencies = new Set(
  'USD GBP CAD AUD NZD INR SGD HKD MYR PHP THB JPY CNY KRW TWD ILS MXN AED SAR QAR KWD BHD OMR JOD CHF NGN KES GHS PKR BDT LKR NPR EGP PEN GTQ DOP JMD TTD'.split(
    ' ',
  ),
);
const commaLanguages =
  /^(?:de(?!-(?:ch|li))|fr(?!-ch)|it(?!-ch)|es(?!-(?:mx|us|gt|do|pe|pa|pr|sv|hn|ni|419))|pt|nl|pl|sv|da|nb|nn|no|fi|cs|sk|hu|ro|bg|hr|sl|sr|bs|mk|sq|uk|ru|be|el|tr|id|vi|lt|lv|et|ca|gl|eu|is|az|kk|ka|hy)(?:[-_]|$)/i;
const pointLanguages = /^(?:en|ja|zh|ko|th|he|iw|hi|bn|ms|tl|fil|de-(?:ch|li)|es-)(?:[-_]|$|(?<=-))/i;

/** The decimal mark of the page's language and currency; undefined when they are unknown or disagree. */
export function decimalMarkOf(language: string | undefined, currency: string | undefined): DecimalMark | undefined {
  const ofCurrency = currency ? (pointCurrencies.has(currency) ? '.' : ',') : undefined;
  const tag = (language ?? '').slice(0, 20).replace('_', '-');
  const ofLanguage = commaLanguages.test(tag) ? ',' : pointLanguages.test(tag) ? '.' : undefined;
  if (ofCurrency && ofLanguage && ofCurrency !== ofLanguage) return undefined;
  return ofCurrency ?? ofLanguage;
}

/** A sign of letters beside a number: `1 299kr`, but no part of a word. */
const word = (letters: string, flags = ''): RegExp => new RegExp(`(?<!\\p{L})${letters}(?!\\p{L})`, `${flags}u`);

/** Signs, longest first. A sign of several currencies lists them; without other evidence it names none. */
const signs: readonly [sign: RegExp, currencies: string][] = [
  [/US\s?\$|\$\s?USD/, 'USD'],
  [/CA?\s?\$|CDN\s?\$/, 'CAD'],
  [/AU?\s?\$/, 'AUD'],
  [/NZ\s?\$/, 'NZD'],
  [/HK\s?\$/, 'HKD'],
  [/NT\s?\$/, 'TWD'],
  [/S\s?\$/, 'SGD'],
  [/MX\s?\$|MXN\s?\$/, 'MXN'],
  [/R\s?\$/, 'BRL'],
  [/\$/, 'USD CAD AUD NZD SGD HKD TWD MXN CLP COP ARS UYU JMD TTD BBD BSD BZD FJD'],
  [/€/, 'EUR'],
  [word('Euros?', 'i'), 'EUR'],
  [/£/, 'GBP'],
  [/円/, 'JPY'],
  [/元/, 'CNY'],
  [/¥/, 'JPY CNY'],
  [/₹/, 'INR'],
  [/৳/, 'BDT'],
  [word('Tk'), 'BDT'],
  [/₨/, 'INR PKR LKR NPR MUR'],
  [word('Rs', 'i'), 'INR PKR LKR NPR MUR'],
  [/₩|원/, 'KRW'],
  [/₫|\d\s?[đ]/i, 'VND'],
  [/₪/, 'ILS'],
  [/₽|руб/i, 'RUB'],
  [/₴|грн/i, 'UAH'],
  [/₺/, 'TRY'],
  [word('TL'), 'TRY'],
  [/₦/, 'NGN'],
  [/₱/, 'PHP'],
  [/฿|บาท/, 'THB'],
  [/₸/, 'KZT'],
  [/₾/, 'GEL'],
  [/zł/i, 'PLN'],
  [/Kč/i, 'CZK'],
  [/\bFt\b/, 'HUF'],
  [word('lei', 'i'), 'RON'],
  [/лв/i, 'BGN'],
  [word('RM'), 'MYR'],
  [word('Rp'), 'IDR'],
  [/\bS\/\.?/, 'PEN'],
  [word('kr', 'i'), 'SEK NOK DKK ISK'],
  [word('KSh', 'i'), 'KES'],
  [word('Fr'), 'CHF'],
  [/\d\s?DT\b/, 'TND'],
  [/\bR(?=\s?\d)/, 'ZAR'],
  [/\bQ(?=\s?\d)/, 'GTQ'],
  // Arabic short forms, as `get_woocommerce_currency_symbols` of WooCommerce has them.
  [/ر\.\s?س/, 'SAR'],
  [/د\.\s?إ/, 'AED'],
  [/ر\.\s?ق/, 'QAR'],
  [/ر\.\s?ع/, 'OMR'],
  [/د\.\s?ك/, 'KWD'],
  [/د\.\s?ب/, 'BHD'],
  [/د\.\s?[اأ]/, 'JOD'],
  [/د\.\s?ع/, 'IQD'],
  [/د\.\s?م/, 'MAD'],
  [/د\.\s?ت/, 'TND'],
  [/د\.\s?ج/, 'DZD'],
  [/ل\.\s?ل/, 'LBP'],
  [/ل\.\s?د/, 'LYD'],
  [/ج\.\s?م/, 'EGP'],
];

/** Codes that stand beside prices. Not every three letters are a currency: `OFF`, `NEW`, `TTC`, `VAT`. */
const codes =
  /(?<![A-Z])(USD|EUR|GBP|CAD|AUD|NZD|CHF|JPY|CNY|RMB|INR|PKR|BDT|LKR|NPR|SGD|HKD|TWD|MYR|IDR|THB|VND|PHP|KRW|AED|SAR|QAR|KWD|BHD|OMR|JOD|ILS|EGP|TRY|RUB|UAH|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|ZAR|NGN|KES|GHS|BRL|MXN|CLP|COP|ARS|PEN|UYU|MAD|TND|KZT|GEL|LBP)(?![A-Z])/;

/** A text of digits and marks has no currency. */
const anyWord = /[^\d\s.,'*-]/;

/** The currencies that the words and signs of a price allow; empty when it has none. */
export function currenciesIn(text: string): readonly string[] {
  if (!anyWord.test(text)) return [];
  const code = codes.exec(text)?.[1];
  if (code) return [code === 'RMB' ? 'CNY' : code];
  return signs.find(([sign]) => sign.test(text))?.[1].split(' ') ?? [];
}

/** What is known of the store beside its prices. */
export interface StoreFacts {
  /** ISO 4217, of the page's settings. */
  currency: string | undefined;
  /** ISO 3166-1 alpha-2, of the merchant. */
  country: string | undefined;
}

/**
 * The one of `allowed` that the settings or the country of the merchant select. A bare `$` is the dollar of the United
 * States in a country without a dollar or peso of its own. Without settings and country it is no currency.
 */
export function chosenCurrency(allowed: readonly string[], facts: StoreFacts): string | undefined {
  if (allowed.length <= 1) return allowed[0];
  if (facts.currency && allowed.includes(facts.currency)) return facts.currency;
  const { country } = facts;
  if (country === undefined || country === 'ZZ') return undefined;
  return allowed.find((code) => code.startsWith(country)) ?? (allowed[0] === 'USD' ? 'USD' : undefined);
}
