import { z } from 'zod';
import { byLanguage, checkForms, country, form, language, markShape } from '../marks.ts';
import { duplicates, type Table } from '../table.ts';

/** Tables of countries: telephone numbers, towns, codes and time zones. */
const code = z.string().regex(/^\d{1,5}$/, 'is not a code of digits');
const areas = z.array(z.int().min(200).max(999));
const phoneData = z.strictObject({
  diallingCodes: z.record(code, country),
  canadianAreas: areas,
  islandAreas: z.record(code, country),
  national: z.array(z.strictObject({ ...markShape, language }).superRefine((row, context) => checkForms(row, context))),
});

export const phones: Table<z.infer<typeof phoneData>> = {
  source: 'geography/phones.yaml',
  output: 'phones',
  schema: phoneData,
  compile: (data) => ({ ...data, canadianAreas: data.canadianAreas.map(String), national: byLanguage(data.national) }),
};

const towns = z.array(
  z.strictObject({ country, code: form, behind: z.literal(true).exactOptional(), towns: z.array(form).min(1) }),
);

export const townTable: Table<z.infer<typeof towns>> = {
  source: 'geography/towns.yaml',
  output: 'towns',
  schema: towns,
  check: (rows) => duplicates(rows, 'country', ({ country }) => [country]),
};

const currency = z.string().regex(/^[A-Z]{3}$/, 'is not a code of ISO 4217');
const domain = z.string().regex(/^[a-z]{2}$/, 'is not a country-code domain');
const countryData = z.strictObject({
  genericDomains: z.array(domain),
  domainExceptions: z.record(domain, country),
  currencies: z.record(currency, country),
  euroCountries: z.array(country),
  languages: z.record(language, country),
  euroLanguages: z.record(language, country),
  languageMoney: z.record(language, z.array(currency).min(1)),
  nameLanguages: z.array(z.string().regex(/^[a-z]{2}(?:-[A-Z][a-z]{3})?$/, 'is not a language')),
  alpha3: z.record(z.string().regex(/^[A-Z]{3}$/, 'is not a code of three letters'), country),
  otherNames: z.record(country, z.array(z.string().min(1)).min(1)),
  notCountries: z.array(z.string().regex(/^[A-Z]{2}$/)),
});

export const countries: Table<z.infer<typeof countryData>> = {
  source: 'geography/countries.yaml',
  output: 'countries',
  schema: countryData,
};

const zoneName = z.string().regex(/^[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+){1,2}$/, 'is not a time zone');
const zoneData = z.strictObject({ zones: z.record(country, z.array(zoneName).min(1)), common: z.array(zoneName) });

export const timeZones: Table<z.infer<typeof zoneData>> = {
  source: 'geography/time-zones.yaml',
  output: 'time-zones',
  schema: zoneData,
};

export const countryTables = [phones, townTable, countries, timeZones];
