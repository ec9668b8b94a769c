import { compile } from 'css-select';
import { z } from 'zod';
import { form } from '../marks.ts';
import { duplicates, type Table, unsorted } from '../table.ts';
import { slug } from './technologies.ts';

const selector = z.string().superRefine((text, context) => {
  try {
    compile(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `no CSS selector: ${(error as Error).message}` });
  }
});

const row = z
  .strictObject({
    technology: slug,
    elements: z.array(selector).min(1).exactOptional(),
    code: z.array(form).min(1).exactOptional(),
  })
  .refine(({ elements, code }) => elements ?? code, 'elements or code');

export const embeddedShops: Table<z.infer<typeof row>[]> = {
  source: 'embedded-shops.yaml',
  output: 'embedded-shops',
  schema: z.array(row),
  check: (rows, parts) => [
    ...duplicates(rows, 'technology', ({ technology }) => [technology]),
    ...unsorted(rows, 'technology', ({ technology }) => technology, parts),
  ],
};
