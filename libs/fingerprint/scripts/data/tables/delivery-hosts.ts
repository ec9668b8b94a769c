import { z } from 'zod';
import { duplicates, type Table, unsorted } from '../table.ts';

const domain = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'no domain');

export const deliveryHosts: Table<string[]> = {
  source: 'delivery-hosts.yaml',
  output: 'delivery-hosts',
  schema: z.array(domain),
  check: (rows, parts) => [
    ...duplicates(rows, 'domain', (row) => [row]),
    ...unsorted(rows, 'domain', (row) => row, parts),
  ],
};
