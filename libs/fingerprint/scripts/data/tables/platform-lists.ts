import { z } from 'zod';
import { type Table, uniqueAndSorted } from '../table.ts';
import { slug } from './technologies.ts';

const reason = z.string().min(1);
const pair = z.strictObject({ slugs: z.array(slug).min(2), reason });
const omission = z.strictObject({ name: z.string().min(1), reason });

/** Platforms that share a name or a website but are different products. */
export const sameProducts: Table<z.infer<typeof pair>[]> = {
  source: 'distinct-products.yaml',
  schema: z.array(pair),
};

/** Platforms of the imported data that no rule finds, with the reasons. */
export const omittedPlatforms: Table<z.infer<typeof omission>[]> = {
  source: 'imported/omitted-platforms.yaml',
  schema: z.array(omission),
  check: (rows, parts) => uniqueAndSorted(rows, 'name', ({ name }) => name, parts),
};
