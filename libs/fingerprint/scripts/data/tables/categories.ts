import { z } from 'zod';
import { duplicates, type Table, unsorted } from '../table.ts';
import { slug } from './technologies.ts';

export const categories: Table<string[]> = {
  source: 'categories.yaml',
  schema: z.array(slug),
  check: (slugs, parts) => [
    ...duplicates(slugs, 'slug', (one) => [one]),
    ...unsorted(slugs, 'slug', (one) => one, parts),
  ],
};
