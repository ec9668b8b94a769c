import data from '../data/countries.rules.json' with { type: 'json' };
import phones from '../data/phones.rules.json' with { type: 'json' };
import { once } from '../once.ts';

/** Data that relates parts of a page to countries; see `data/geography`. Codes are ISO 3166-1 alpha-2, and XK for Kosovo. */
type Countries = Readonly<Record<string, string>>;

export const genericCcTlds: ReadonlySet<string> = new Set(data.genericDomains);
export const ccTldExceptions: Countries = data.domainExceptions;
export const diallingCodes: Countries = phones.diallingCodes;
export const currencyCountries: Countries = data.currencies;
const euroCountries = new Set(data.euroCountries);
const currencyOfCountry = new Map(Object.entries(currencyCountries).map(([code, country]) => [country, code]));

/** Whether the country uses another currency. Undefined if its currency is unknown. */
export function hasOtherCurrency(country: string, currency: string): boolean | undefined {
  if (currency === 'EUR' ? euroCountries.has(country) : currencyCountries[currency] === country) return false;
  return euroCountries.has(country) || currencyOfCountry.has(country) ? true : undefined;
}

export const languageCountries: Countries = data.languages;
export const euroLanguages: Countries = data.euroLanguages;
const languageMoney: Readonly<Record<string, readonly string[] | undefined>> = data.languageMoney;

/** Whether a language is at home in several countries and none of them uses this currency. False if the currencies are not known. */
export function hasOtherMoney(language: string, currency: string): boolean {
  return languageMoney[language]?.includes(currency) === false;
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

const notCountries = new Set(data.notCountries);

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

// East Germany no longer has a code, and the code of the United Kingdom is GB.
export const countries: ReadonlySet<string> = new Set(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !notCountries.has(code) && regionNames.of(code) !== undefined)
    .filter((code) => new Intl.Locale(`und-${code}`).region === code),
);

/** Whether `code` is a current country code. */
export const isCountry = (code: string): boolean => countries.has(code);

function namesToCodes(): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of data.nameLanguages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of countries) {
      const name = display.of(code)?.toLowerCase();
      if (name && !names.has(name)) names.set(name, code);
    }
  }
  for (const [code, others] of Object.entries(data.otherNames)) for (const name of others) names.set(name, code);
  for (const [name, code] of Object.entries(data.alpha3)) names.set(name.toLowerCase(), code);
  for (const code of countries) names.set(code.toLowerCase(), code);
  return names;
}

/** Computed on first use, because it takes some forty milliseconds. */
const byName = once(namesToCodes);

/** Returns the code of a country that is written as a code, or as a name in one of many languages. */
export function countryFromText(text: string | undefined): string | undefined {
  if (!text || text.length > 60) return undefined;
  const name = text.trim().toLowerCase();
  return name === 'uk' ? 'GB' : byName().get(name);
}
