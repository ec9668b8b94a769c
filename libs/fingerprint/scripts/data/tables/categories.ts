import { z } from 'zod';
import { type Table, uniqueAndSorted } from '../table.ts';
import { slug } from './technologies.ts';

export const categories: Table<string[]> = {
  source: 'categories.yaml',
  schema: z.array(slug),
  check: (slugs, parts) => uniqueAndSorted(slugs, 'slug', (one) => one, parts),
};
