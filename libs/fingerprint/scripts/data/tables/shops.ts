import { z } from 'zod';
import { form, language } from '../marks.ts';
import { duplicates, type Table } from '../table.ts';

const labels = z.array(z.string().min(1)).min(1);

const shopRow = z.strictObject({ language, order: labels, basket: labels });

export const shopWords: Table<z.infer<typeof shopRow>[]> = {
  source: 'shop-words.yaml',
  output: 'shop-words',
  schema: z.array(shopRow),
  check: (rows) => duplicates(rows, 'language', ({ language }) => [language]),
};

const sampleSet = z.strictObject({
  source: z.string().min(1),
  products: labels,
  branded: labels.exactOptional(),
  common: labels,
  menu: labels,
});

export const sampleData: Table<z.infer<typeof sampleSet>[]> = {
  source: 'sample-data.yaml',
  output: 'sample-data',
  schema: z.array(sampleSet),
};

const forms = z.array(form).min(1);
const pageForms = z.strictObject({ imprint: forms, contact: forms, about: forms, cart: forms });

export const pageWords: Table<z.infer<typeof pageForms>> = {
  source: 'page-words.yaml',
  output: 'page-words',
  schema: pageForms,
};
