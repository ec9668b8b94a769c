import addresses from '../data/addresses.rules.json' with { type: 'json' };
import carriers from '../data/carriers.rules.json' with { type: 'json' };
import shipping from '../data/domestic-shipping.rules.json' with { type: 'json' };
import habits from '../data/habits.rules.json' with { type: 'json' };
import legal from '../data/legal-forms.rules.json' with { type: 'json' };
import paymentMeans from '../data/payment-means.rules.json' with { type: 'json' };
import phones from '../data/phones.rules.json' with { type: 'json' };
import platforms from '../data/platform-countries.rules.json' with { type: 'json' };
import registers from '../data/registers.rules.json' with { type: 'json' };
import hosts from '../data/service-hosts.rules.json' with { type: 'json' };
import places from '../data/towns.rules.json' with { type: 'json' };
import vatForms from '../data/vat-numbers.rules.json' with { type: 'json' };

/**
 * Marks of single countries: forms of tax numbers, register numbers and postal addresses, authorities to which a merchant must refer, legal
 * forms, and habits. The tables are in `data/geography`.
 */

/** A form of text that shows a country. */
export interface CountryMark {
  country: string;
  form: RegExp;
}

/** A row of a compiled table. It has the expression as text. */
export interface WrittenMark {
  country: string;
  form: string;
  flags: string;
}

/** Returns the marks of rows, with the further members of each row. */
export const marksOf = <Row extends WrittenMark>(
  rows: readonly Row[],
): (Omit<Row, 'form' | 'flags'> & { form: RegExp })[] =>
  rows.map(({ form, flags, ...rest }) => ({ ...rest, form: new RegExp(form, flags) }));

const vatLabel =
  '(?:\\b(?:VAT|V\\.A\\.T|UID|TVA|IVA|I\\.V\\.A|BTW|ALV|PVM|PVN|KMKR|KMK|DIČ|DPH|DDV|PDV|TIN|[Mm]oms|MOMS|NIF|NIP|CUI|Tax ID|ID nr|Mw[Ss]t|MWST|U[Ss][Tt]|Umsatzsteuer|intracom)|ΑΦΜ|ΦΠΑ|ДДС)';
const vatNumbers = new Map(
  Object.entries(vatForms).map(([country, form]) => [
    form.slice(0, 2),
    { country, form: new RegExp(`^${form}(?![\\dA-Z])`) },
  ]),
);
const labelledVat = new RegExp(
  `${vatLabel}[^\\n]{0,40}?(?<![A-Z\\d])((${[...vatNumbers.keys()].join('|')})[\\dA-Z .-]{6,18})`,
  'g',
);
const maxVatNumbers = 10;

/** Returns the countries of the VAT numbers after a label. */
export function vatCountries(text: string): string[] {
  const found: string[] = [];
  for (const [, number = '', code = ''] of text.matchAll(labelledVat)) {
    if (found.length >= maxVatNumbers) break;
    const known = vatNumbers.get(code);
    if (known?.form.test(number)) found.push(known.country);
  }
  return found;
}

export const registerMarks: readonly CountryMark[] = marksOf(registers);

/** Legal forms of companies. They count in short lines at the end of a page, and in copyright lines. */
export const legalForms: readonly CountryMark[] = marksOf(legal);

/** Countries by the name of a town in lower case. Empty if towns of two countries have the name. */
const townCountries = new Map<string, string>();
// A form with alternatives has several names.
for (const { country, towns } of places)
  for (const town of towns.flatMap((form) => form.toLowerCase().split('|')))
    townCountries.set(town, (townCountries.get(town) ?? country) === country ? country : '');

export const countryOfTown = (town: string): string | undefined => townCountries.get(town.toLowerCase()) || undefined;

export const townMarks: readonly CountryMark[] = places.flatMap(({ country, code, towns, behind }) =>
  towns.map((town) => ({
    country,
    // The town comes first in the expression, because a text rarely contains it.
    form: new RegExp(
      `(?:${town})(?:(?![\\p{L}\\d])(?<=(?<![\\p{L}\\d.,-])(?:[A-Z]{1,2}\\s?-\\s?)?${code}[\\s,]{1,3}(?:${town}))${
        behind ? `|[\\s,–.-]{1,4}${code}(?![\\d,-])` : ''
      })`,
      'u',
    ),
  })),
);

export const addressMarks: readonly CountryMark[] = [...marksOf(addresses.everywhere), ...townMarks];

const byLanguage = (
  rows: Readonly<Record<string, readonly WrittenMark[]>>,
): Readonly<Record<string, readonly CountryMark[]>> =>
  Object.fromEntries(Object.entries(rows).map(([language, marks]) => [language, marksOf(marks)]));

/** Postal addresses whose country only the language of the page shows. */
export const nationalAddresses = byLanguage(addresses.byLanguage);

/** Phone numbers without a country code, for languages that few countries use. */
export const nationalPhones = byLanguage(phones.national);

/** Words before the country from which a merchant ships. */
export const shippingOrigin =
  /\b(?:ships?|shipped|shipping|dispatched|delivered|sent|posted|made and shipped|designed and shipped)\s(?:directly\s|direct\s|fast\s|daily\s|out\s|to you\s)?from\s(?:our\s[a-z ]{0,30}in\s|the\s)?([A-Z][A-Za-z. ]{1,24}?)(?=[\s,.!)|]{0,2}(?:$|[\n,.!|)]|\s(?:and|to|with|within|in|by|for)\b))/g;

/** Habits that merchants of one country have, but others share. Each counts little. */
export const habitMarks: readonly (CountryMark & { points: number })[] = marksOf(habits);

export const domesticShipping: readonly CountryMark[] = marksOf(shipping);

export const carrierMarks: readonly CountryMark[] = marksOf(carriers);

export const paymentMarks: readonly CountryMark[] = marksOf(paymentMeans);

/** The expressions read a text with one host per line. */
export const serviceHosts: readonly CountryMark[] = marksOf(hosts);

/** Countries by the slug of the platform. */
export const platformCountries: Readonly<Record<string, string>> = platforms;
