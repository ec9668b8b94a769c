import { z } from 'zod';
import { type Table, uniqueAndSorted } from '../table.ts';
import { slug } from './technologies.ts';

const row = z.strictObject({ slug, of: slug });

/** Earlier slugs. {@link checkProducts} checks them across tables. */
export const aliases: Table<z.infer<typeof row>[]> = {
  source: 'aliases.yaml',
  output: 'aliases',
  schema: z.array(row),
  check: (rows, parts) => uniqueAndSorted(rows, 'slug', ({ slug }) => slug, parts),
};
