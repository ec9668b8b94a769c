import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { exampleEnrichJob, job, noUnits } from '../jobs/contract.ts';
import { scanScope } from '../jobs/job-owners.ts';
import { listParams } from '../lists/contract.ts';
import { listEnrichQuote, listEnrichRequest } from './contract.ts';
import { quoteEnrichment, startEnrichment } from './enrich-list.ts';

const headers = ['Cache-Control'] as const;

export const enrichList = defineEndpoint({
  id: 'enrichList',
  method: 'POST',
  path: '/v1/lists/{list_id}/enrich',
  tag: 'Lists',
  summary: 'Enrich every store of a list as a job',
  description:
    'Starts a job over the stores that the list has now. It looks the stores up in steps of at most 100, and each step bills what its ' +
    'results answer, once. Follow it with GET /v1/jobs/{job_id}; GET /v1/jobs/{job_id}/results has its results for 30 days, free (scope ' +
    'read:jobs). Needs read:stores too.\n\nA list of a job has at most 250,000 stores, and a workspace has at most 20 enrichments that ' +
    'have not ended. Beyond either bound the response is 400.\n\nWith dry_run, the response is 200 with the counts of the stores and ' +
    'the quote, free. Without it, a quote that does not fit what is left of the period answers 402, and a quote above max_units answers ' +
    '400. When the allowance ends while the job runs, the rest of its results has the match error and the reason allowance_exhausted.',
  access: 'key',
  scope: 'read:watchlists',
  moreScopes: ['read:stores'],
  bodyScopes: ({ refresh }) => (refresh === true ? [{ scope: scanScope, reason: 'refresh: true' }] : []),
  billing: {
    units: ['lookup_cached', 'lookup_live'],
    when: 'The job bills one lookup_cached per matched or stale store, one lookup_live per queued scan',
  },
  params: listParams,
  body: listEnrichRequest,
  idempotent: true,
  success: {
    status: 202,
    description: 'The job.',
    schema: job,
    example: exampleEnrichJob,
    requestExample: { refresh: true, max_units: 500 },
    headers,
  },
  otherSuccess: {
    status: 200,
    description: 'With dry_run: what the job would bill.',
    schema: listEnrichQuote,
    example: { matched: 420, stale: 60, unknown: 20, quote: { ...noUnits, lookup_cached: 480, lookup_live: 80 } },
    headers,
  },
  errors: ['not_found_list', 'payment_required'],
  handle(request, deps) {
    const { list_id: listId } = request.params;
    const { dry_run, ...body } = request.body;
    const content = { list_id: listId, body: request.json };
    return runIdempotently(deps, request, content, async ({ chargeId }) => {
      const asked = { ...body, listId, requestToken: chargeId };
      return dry_run
        ? unchargedReply(200, await quoteEnrichment(deps, request, asked))
        : unchargedReply(202, await startEnrichment(deps, request, asked));
    });
  },
});
