import { z } from 'zod';
import type { ShopifyTheme } from '../../../src/rules/tables.ts';
import { duplicates, type Table, unsorted } from '../table.ts';

const row = z.strictObject({
  name: z.string().min(1),
  vendor: z.string().min(1).exactOptional(),
  ids: z.array(z.int().positive()).min(1).exactOptional(),
}) satisfies z.ZodType<ShopifyTheme>;

export const shopifyThemes: Table<ShopifyTheme[]> = {
  source: 'shopify-themes.yaml',
  output: 'shopify-themes',
  schema: z.array(row),
  check: (rows, parts) => [
    ...duplicates(rows, 'name', ({ name }) => [name.toLowerCase()]),
    ...duplicates(rows, 'ids', ({ ids = [] }) => ids),
    ...unsorted(rows, 'name', ({ name }) => name, parts),
  ],
};
