import { z } from 'zod';
import { type Table, uniqueAndSorted } from '../table.ts';

const domain = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'is not a domain');

export const deliveryHosts: Table<string[]> = {
  source: 'delivery-hosts.yaml',
  output: 'delivery-hosts',
  schema: z.array(domain),
  check: (rows, parts) => uniqueAndSorted(rows, 'domain', (row) => row, parts),
};
