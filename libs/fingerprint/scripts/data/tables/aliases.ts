import { z } from 'zod';
import { duplicates, type Table, unsorted } from '../table.ts';
import { slug } from './technologies.ts';

const row = z.strictObject({ slug, of: slug });

/** Earlier slugs; see {@link checkProducts} for the check across tables. */
export const aliases: Table<z.infer<typeof row>[]> = {
  source: 'aliases.yaml',
  output: 'aliases',
  schema: z.array(row),
  check: (rows, parts) => [
    ...duplicates(rows, 'slug', ({ slug }) => [slug]),
    ...unsorted(rows, 'slug', ({ slug }) => slug, parts),
  ],
};
