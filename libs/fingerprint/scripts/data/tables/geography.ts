import { z } from 'zod';
import {
  byLanguage,
  checkForms,
  country,
  flags,
  form,
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
import { countryTables } from './countries.ts';
import { slug } from './technologies.ts';

/** Tables that relate forms of text, hosts and numbers to countries. */
const marksTable = (name: string): Table<z.infer<typeof marks>> => ({
  source: `geography/${name}.yaml`,
  output: name,
  schema: marks,
  compile: (rows) => rows.map((row) => markOf(row)),
});

const host = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'is not a host');
const hostRows = z.array(z.strictObject({ country, hosts: z.array(host).min(1) }));

export const serviceHosts: Table<z.infer<typeof hostRows>> = {
  source: 'geography/service-hosts.yaml',
  output: 'service-hosts',
  schema: hostRows,
  check: (rows) => duplicates(rows, 'country', ({ country }) => [country]),
  // The matched text has one host per line.
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

const parts = z.record(z.string().regex(/^[a-zA-Z]+$/, 'is not a name of a part'), forms);

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
  ...countryTables,
  hosts,
];
