import { z } from 'zod';
import { fault, form, selectorFault } from '../marks.ts';
import { type Table, uniqueAndSorted } from '../table.ts';
import { slug } from './technologies.ts';

const selector = z.string().superRefine(fault(selectorFault));

const row = z
  .strictObject({
    technology: slug,
    elements: z.array(selector).min(1).exactOptional(),
    code: z.array(form).min(1).exactOptional(),
  })
  .refine(({ elements, code }) => elements ?? code, 'the row has neither elements nor code');

export const embeddedShops: Table<z.infer<typeof row>[]> = {
  source: 'embedded-shops.yaml',
  output: 'embedded-shops',
  schema: z.array(row),
  check: (rows, parts) => uniqueAndSorted(rows, 'technology', ({ technology }) => technology, parts),
};
