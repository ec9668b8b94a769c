import { z } from 'zod';
import { free, type Operation } from '../../contract/operation.ts';
import { named } from '../../contract/schemas.ts';
import { exampleJob, job } from '../jobs/contract.ts';
import { collectionOperations } from './collection-operations.ts';
import { idParams } from './shared.ts';

/** Operations of lists. A list has domains to enrich together. */
export const announcedListOperations = [
  ...collectionOperations({
    noun: 'list',
    Noun: 'List',
    prefix: 'lst',
    fields: { name: z.string().min(1).max(200) },
    example: { name: 'Prospects' },
    updateExample: { name: 'Prospects 2026' },
    billing: free,
  }),
  {
    id: 'enrichList',
    method: 'POST',
    path: '/v1/lists/{list_id}/enrich',
    tag: 'Lists',
    summary: 'Enrich every store of a list as a job',
    access: 'key',
    scope: 'read:watchlists',
    billing: { units: ['lookup_cached', 'lookup_live'], when: 'As enrichStores, when the job runs' },
    served: false,
    params: idParams('list_id', 'lst'),
    body: named('ListEnrichRequest', z.strictObject({ refresh: z.boolean().default(false) })),
    idempotent: true,
    success: {
      status: 202,
      description: 'The job.',
      schema: job,
      example: { ...exampleJob, type: 'enrich', domain: null },
      requestExample: { refresh: true },
    },
    errors: ['not_found_list', 'payment_required'],
  },
] satisfies readonly Operation[];
