import { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { count, named } from '../../contract/schemas.ts';
import { exampleJob, job } from '../jobs/contract.ts';
import { listParams } from '../lists/contract.ts';

/** The enrichment of a list as a job. The other operations of lists are served. */
export const announcedListOperations = [
  {
    id: 'enrichList',
    method: 'POST',
    path: '/v1/lists/{list_id}/enrich',
    tag: 'Lists',
    summary: 'Enrich every store of a list as a job',
    description:
      'The stores are those of the list as of now. dry_run answers 200 with the counts and the quote, free, and starts no job. ' +
      'Without it, a quote above max_units answers 400.',
    access: 'key',
    scope: 'read:watchlists',
    billing: { units: ['lookup_cached', 'lookup_live'], when: 'As enrichStores, when the job runs' },
    served: false,
    params: listParams,
    body: named(
      'ListEnrichRequest',
      z.strictObject({
        refresh: z.boolean().default(false).describe('true needs the scope write:scans'),
        max_units: count().optional().describe('The most units that the job may bill'),
        dry_run: z.boolean().default(false).describe('true answers what the job would bill'),
      }),
    ),
    idempotent: true,
    success: {
      status: 202,
      description: 'The job.',
      schema: job,
      example: { ...exampleJob, type: 'enrich', domain: null },
      requestExample: { refresh: true, max_units: 500, dry_run: false },
    },
    errors: ['not_found_list', 'payment_required'],
  },
] as const satisfies readonly Operation[];
