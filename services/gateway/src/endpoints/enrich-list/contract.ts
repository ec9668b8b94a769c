import { z } from 'zod';
import { count, named } from '../../contract/schemas.ts';
import { usageCounters } from '../account/contract.ts';

/** More units than any plan has. */
const maxUnitsCeiling = 1_000_000_000;

export const listEnrichRequest = named(
  'ListEnrichRequest',
  z.strictObject({
    refresh: z
      .boolean()
      .default(false)
      .describe(
        'true queues a scan of every unknown or stale store, one lookup_live each; needs the scope write:scans',
      ),
    max_units: count()
      .max(maxUnitsCeiling)
      .optional()
      .describe('The most units that the job may bill, of all kinds together. A larger quote answers 400'),
    dry_run: z.boolean().optional().describe('true answers what the job would bill, and starts none'),
  }),
);

export const listEnrichQuote = named(
  'ListEnrichQuote',
  z.object({
    matched: count().describe('Stores with a fresh profile'),
    stale: count().describe('Stores with a stale profile'),
    unknown: count().describe('Stores without a profile'),
    quote: usageCounters.describe('What the job would bill now'),
  }),
);
