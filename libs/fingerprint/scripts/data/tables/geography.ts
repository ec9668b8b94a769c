import { z } from 'zod';
import {
  checkForms,
  country,
  flags,
  formOf,
  forms,
  language,
  markOf,
  markShape,
  marks,
  regexFault,
  withParts,
} from '../marks.ts';
import { duplicates, type Table } from '../table.ts';
import { slug } from './technologies.ts';

/** Tables that relate forms of text, hosts and numbers to countries. */
const form = z.string().superRefine((text, context) => {
  const message = regexFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const marksTable = (name: string): Table<z.infer<typeof marks>> => ({
  source: `geography/${name}.yaml`,
  output: name,
  schema: marks,
  compile: (rows) => rows.map((row) => markOf(row)),
});

const host = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'no host');
const hostRows = z.array(z.strictObject({ country, hosts: z.array(host).min(1) }));

export const serviceHosts: Table<z.infer<typeof hostRows>> = {
  source: 'geography/service-hosts.yaml',
  output: 'service-hosts',
  schema: hostRows,
  check: (rows) => duplicates(rows, 'country', ({ country }) => [country]),
  // The text has one host per line.
  compile: (rows) =>
    rows.map(({ country, hosts }) => ({
      country,
      form: `(?:^|[\\n.])(?:${hosts.map((name) => name.replaceAll('.', '\\.')).join('|')})(?:\\n|$)`,
      flags: '',
    })),
};

const byPlatform = z.record(slug, country);

export const platformCountries: Table<z.infer<typeof byPlatform>> = {
  source: 'geography/platform-countries.yaml',
  output: 'platform-countries',
  schema: byPlatform,
};

const vatForms = z.record(country, form);

export const vatNumbers: Table<z.infer<typeof vatForms>> = {
  source: 'geography/vat-numbers.yaml',
  output: 'vat-numbers',
  schema: vatForms,
};

const legalRow = z
  .strictObject({ country, forms: forms.exactOptional(), flags, abbreviations: forms.exactOptional() })
  .superRefine((row, context) => {
    if ((row.forms === undefined) === (row.abbreviations === undefined))
      context.addIssue({ code: 'custom', message: 'a row has forms or abbreviations' });
    checkForms({ ...row, forms: row.forms ?? row.abbreviations ?? [] }, context);
  });

export const legalForms: Table<z.infer<typeof legalRow>[]> = {
  source: 'geography/legal-forms.yaml',
  output: 'legal-forms',
  schema: z.array(legalRow),
  compile: (rows) =>
    rows.map(({ country, forms = [], flags = '', abbreviations }) =>
      abbreviations
        ? { country, form: `[\\s,](?:${abbreviations.join('|')})(?![\\p{L}\\d])`, flags: 'u' }
        : markOf({ country, forms, flags }),
    ),
};

const parts = z.record(z.string().regex(/^[a-zA-Z]+$/, 'no name of a part'), forms);

const withPartsOf = <Row extends { forms: string[]; flags?: string }>(row: z.ZodType<Row>) =>
  z.strictObject({ parts, marks: z.array(row) }).superRefine(({ parts, marks }, context) => {
    for (const [index, mark] of marks.entries())
      for (const [at, text] of mark.forms.entries()) {
        const message = regexFault(withParts(text, parts), mark.flags);
        if (message !== undefined) context.addIssue({ code: 'custom', path: ['marks', index, 'forms', at], message });
      }
  });

const addressRows = withPartsOf(z.strictObject({ ...markShape, language: language.exactOptional() }));

export const addresses: Table<z.infer<typeof addressRows>> = {
  source: 'geography/addresses.yaml',
  output: 'addresses',
  schema: addressRows,
  compile: ({ parts, marks }) => ({
    everywhere: marks.filter(({ language }) => language === undefined).map((row) => markOf(row, parts)),
    byLanguage: byLanguage(marks.filter(({ language }) => language !== undefined)),
  }),
};

const habitRows = withPartsOf(z.strictObject({ ...markShape, points: z.number().positive() }));

export const habits: Table<z.infer<typeof habitRows>> = {
  source: 'geography/habits.yaml',
  output: 'habits',
  schema: habitRows,
  compile: ({ parts, marks }) =>
    marks.map(({ country, points, ...rest }) => ({ country, points, ...formOf(rest, parts) })),
};

const code = z.string().regex(/^\d{1,3}$/, 'no code of digits');
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

const currency = z.string().regex(/^[A-Z]{3}$/, 'no code of ISO 4217');
const domain = z.string().regex(/^[a-z]{2}$/, 'no country-code domain');
const countryData = z.strictObject({
  genericDomains: z.array(domain),
  domainExceptions: z.record(domain, country),
  currencies: z.record(currency, country),
  languages: z.record(language, country),
  euroLanguages: z.record(language, country),
  nameLanguages: z.array(z.string().regex(/^[a-z]{2}(?:-[A-Z][a-z]{3})?$/, 'no language')),
  alpha3: z.record(z.string().regex(/^[A-Z]{3}$/, 'no code of three letters'), country),
  otherNames: z.record(country, z.array(z.string().min(1)).min(1)),
  notCountries: z.array(z.string().regex(/^[A-Z]{2}$/)),
});

export const countries: Table<z.infer<typeof countryData>> = {
  source: 'geography/countries.yaml',
  output: 'countries',
  schema: countryData,
};

const zoneName = z.string().regex(/^[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+){1,2}$/, 'no time zone');
const zoneData = z.strictObject({ zones: z.record(country, z.array(zoneName).min(1)), common: z.array(zoneName) });

export const timeZones: Table<z.infer<typeof zoneData>> = {
  source: 'geography/time-zones.yaml',
  output: 'time-zones',
  schema: zoneData,
};

const hostForms = z.strictObject({ words: marks, abroad: marks });

export const hosts: Table<z.infer<typeof hostForms>> = {
  source: 'geography/hosts.yaml',
  output: 'hosts',
  schema: hostForms,
  compile: ({ words, abroad }) => ({
    words: words.map((row) => markOf(row)),
    abroad: abroad.map((row) => markOf(row)),
  }),
};

export const geography = [
  ...['carriers', 'payment-means', 'registers', 'domestic-shipping'].map(marksTable),
  serviceHosts,
  platformCountries,
  vatNumbers,
  legalForms,
  addresses,
  habits,
  phones,
  townTable,
  countries,
  timeZones,
  hosts,
];

function byLanguage(rows: readonly { language?: string; country: string; forms: string[]; flags?: string }[]) {
  const groups = Map.groupBy(rows, ({ language = '' }) => language);
  return Object.fromEntries([...groups].map(([language, list]) => [language, list.map((row) => markOf(row))]));
}
