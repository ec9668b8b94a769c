import places from '../data/towns.rules.json' with { type: 'json' };
import type { CountryMark } from './country-mark.ts';

/** Towns by name, in lower case. Names of towns of two countries are left out. */
const townCountries = new Map<string, string>();
// A form with alternatives has several names.
for (const { country, towns } of places)
  for (const town of towns.flatMap((form) => form.toLowerCase().split('|')))
    townCountries.set(town, (townCountries.get(town) ?? country) === country ? country : '');

export const countryOfTown = (town: string): string | undefined => townCountries.get(town.toLowerCase()) || undefined;

export const townMarks: readonly CountryMark[] = places.flatMap(({ country, code, towns, behind }) =>
  towns.map((town) => ({
    country,
    // The town comes first, because a text rarely contains it.
    form: new RegExp(
      `(?:${town})(?:(?![\\p{L}\\d])(?<=(?<![\\p{L}\\d.,-])(?:[A-Z]{1,2}\\s?-\\s?)?${code}[\\s,]{1,3}(?:${town}))${
        behind ? `|[\\s,–.-]{1,4}${code}(?![\\d,-])` : ''
      })`,
      'u',
    ),
  })),
);
