import addresses from '../data/addresses.rules.json' with { type: 'json' };
import shipping from '../data/domestic-shipping.rules.json' with { type: 'json' };
import habits from '../data/habits.rules.json' with { type: 'json' };
import legal from '../data/legal-forms.rules.json' with { type: 'json' };
import phones from '../data/phones.rules.json' with { type: 'json' };
import registers from '../data/registers.rules.json' with { type: 'json' };
import vatForms from '../data/vat-numbers.rules.json' with { type: 'json' };
import { townMarks } from './cities.ts';
import { type CountryMark, marksOf, type WrittenMark } from './country-mark.ts';

/**
 * Marks of one country in the text of an imprint or a footer: forms of tax and register numbers, postal addresses,
 * and authorities to which a merchant must refer. The tables are in `data/geography`.
 */

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

/** Countries of the VAT numbers that stand behind a label. */
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

/** They count in short lines at the end of a page and in copyright lines. */
export const legalForms: readonly CountryMark[] = marksOf(legal);

export const addressMarks: readonly CountryMark[] = [...marksOf(addresses.everywhere), ...townMarks];

const byLanguage = (
  rows: Readonly<Record<string, readonly WrittenMark[]>>,
): Readonly<Record<string, readonly CountryMark[]>> =>
  Object.fromEntries(Object.entries(rows).map(([language, marks]) => [language, marksOf(marks)]));

/** Postal addresses that only the language of the page tells apart. */
export const nationalAddresses = byLanguage(addresses.byLanguage);

/** Phone numbers without the code of the country, where the language leaves few countries. */
export const nationalPhones = byLanguage(phones.national);

/** Words before the country from which a merchant ships. */
export const shippingOrigin =
  /\b(?:ships?|shipped|shipping|dispatched|delivered|sent|posted|made and shipped|designed and shipped)\s(?:directly\s|direct\s|fast\s|daily\s|out\s|to you\s)?from\s(?:our\s[a-z ]{0,30}in\s|the\s)?([A-Z][A-Za-z. ]{1,24}?)(?=[\s,.!)|]{0,2}(?:$|[\n,.!|)]|\s(?:and|to|with|within|in|by|for)\b))/g;

/** Habits of merchants of one country that others share. Each counts little. */
export const habitMarks: readonly (CountryMark & { points: number })[] = marksOf(habits);

export const domesticShipping: readonly CountryMark[] = marksOf(shipping);
