import { invalidField } from '@shopscope/errors';
import { storeQueryOf } from '@shopscope/store-search';
import { storeVocabulary } from '@shopscope/store-search/vocabulary';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { searchRequestExample } from '../find-stores/examples.ts';
import { bodyNeeds } from '../find-stores/needs.ts';
import { exampleExportJob, job } from '../jobs/contract.ts';
import { storeExportRequest } from './contract.ts';
import { startExport } from './export-stores.ts';

export const exportStores = defineEndpoint({
  id: 'exportStores',
  method: 'POST',
  path: '/v1/stores/export',
  tag: 'Stores',
  summary: 'Export all stores that match as a job',
  description:
    'Starts a job that writes the rows of a search into parts, at most 1,000 at a time, and bills each part once. Follow it with GET ' +
    '/v1/jobs/{job_id}; GET /v1/jobs/{job_id}/results lists the parts for 30 days, free (scope read:jobs). The parts in their order are the ' +
    'file. All rows are of one edition. When it ends before the first charge, the job continues with the latest one, if that fits; later the ' +
    'job fails, and the parts stay.\n\nMore matching stores than max_rows answer 400. max_units is required above 1,000 stores. A quote that ' +
    'does not fit it answers 400, and one that does not fit what is left of the period answers 402. These checks and the total of an ' +
    'unfinished job know only what POST /v1/stores/count shows. A workspace has at most 20 such jobs and enrichments that have not ended, and ' +
    '500 exports in 30 days. Beyond either bound the response is 400. dropped and moved need read:signals too, and list needs read:watchlists too.',
  access: 'key',
  scope: 'read:stores',
  bodyScopes: bodyNeeds,
  billing: {
    units: ['lookup_cached', 'history_query'],
    when: 'The job bills one lookup_cached per row; with dropped or moved, one history_query per 1,000 rows',
  },
  body: storeExportRequest,
  idempotent: true,
  success: {
    status: 202,
    description: 'The job.',
    schema: job,
    example: exampleExportJob,
    requestExample: {
      where: searchRequestExample.where,
      sort: 'domain',
      format: 'csv',
      columns: 'hubspot',
      max_rows: 5_000,
      max_units: { lookup_cached: 5_000, history_query: 5 },
    },
    headers: ['Cache-Control'],
  },
  errors: ['not_found_list', 'payment_required'],
  handle(request, deps) {
    const { where, sort, ...body } = request.body;
    if (body.columns !== undefined && body.format !== 'csv')
      throw invalidField('columns', 'is only for the format csv');
    const query = storeQueryOf({ where, sort }, storeVocabulary);
    return runIdempotently(deps, request, request.json, async ({ chargeId }) =>
      unchargedReply(202, await startExport(deps, request, { ...body, query, requestToken: chargeId })),
    );
  },
});
