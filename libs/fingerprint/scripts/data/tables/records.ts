import { z } from 'zod';
import type { Pattern } from '../../../src/engine/rule.ts';
import type { OwnTechnology } from '../../../src/rules/tables.ts';
import { fault, re2Fault } from '../marks.ts';
import { type Table, uniqueAndSorted } from '../table.ts';
import { slug } from './technologies.ts';

const name = z.string().min(1);
const host = z.string().regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/, 'is not a host');
const hosts = z.array(host).min(1);
const anchored = z
  .string()
  .superRefine(fault(re2Fault))
  .superRefine(fault((form) => (/^\^|\$$|^\\\./.test(form) ? undefined : 'the form is not anchored')));
const record = z.preprocess(
  (value) => (typeof value === 'string' ? { form: value } : value),
  z
    .strictObject({
      form: anchored.exactOptional(),
      at: hosts.exactOptional(),
      spf: hosts.exactOptional(),
      label: name.exactOptional(),
    })
    .refine(
      (written) => ['form', 'at', 'spf', 'at label'].includes(Object.keys(written).sort().join(' ')),
      'a form, or one of: at; spf; label and at',
    ),
);

type RecordForm = z.infer<typeof record>;

const listed = z.array(record).min(1).exactOptional();
const kinds = z.strictObject({
  cname: listed,
  mx: listed,
  ns: listed,
  txt: listed,
  dkim: listed,
  help: listed,
  name: listed,
  issuer: listed,
});

const entry = z.strictObject({
  slug,
  name: name.exactOptional(),
  category: slug.exactOptional(),
  vendor: name.exactOptional(),
  website: z.url().exactOptional(),
  source: name.exactOptional(),
  records: kinds.exactOptional(),
  unsourcedRecords: kinds.exactOptional(),
});

export type RecordEntry = z.infer<typeof entry>;

const escaped = (host: string): string => host.replaceAll('.', '\\.');

function formsOf({ form, label, at = [], spf = [] }: RecordForm): string[] {
  if (form !== undefined) return [form];
  if (label !== undefined) return at.map((host) => `^${label} (?:.*\\.)?${escaped(host)}$`);
  return [
    ...at.map((host) => `(?:^|\\.)${escaped(host)}$`),
    ...spf.map((host) => `^spf (?:include:|redirect=)(?:[\\w.-]+\\.)?${escaped(host)}$`),
  ];
}

const ofCertificate: ReadonlySet<string> = new Set(['name', 'issuer']);

const patternsOf = (written: RecordEntry['records'], unsourced: boolean): Pattern[] =>
  Object.entries(written ?? {}).flatMap(([key, forms]) =>
    forms.flatMap(formsOf).map((regex) => ({
      channel: ofCertificate.has(key) ? 'certificate' : 'dns',
      key,
      regex,
      version: '',
      weight: 100,
      caseSensitive: true,
      unsourced,
    })),
  );

export const records: Table<RecordEntry[]> = {
  source: 'records.yaml',
  output: 'records',
  schema: z.array(entry),
  check: (entries, parts) => [
    ...uniqueAndSorted(entries, 'slug', ({ slug }) => slug, parts),
    ...entries.flatMap(({ records, source }, index) =>
      (records === undefined) === (source === undefined)
        ? []
        : [{ path: [index, 'source'], message: 'records and source belong together; others are unsourcedRecords' }],
    ),
  ],
  compile: (entries) =>
    entries.map(({ slug, name, category, vendor, website, records, unsourcedRecords }): OwnTechnology => {
      const names = name && category && website ? { name, category, vendor: vendor ?? name, website } : {};
      return { slug, ...names, patterns: [...patternsOf(records, false), ...patternsOf(unsourcedRecords, true)] };
    }),
};
