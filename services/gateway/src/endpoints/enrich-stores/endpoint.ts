import { exampleRequestId } from '../../contract/errors.ts';
import { storableReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeExample } from '../get-store/examples.ts';
import { enrichRequest, enrichResponse } from './contract.ts';
import { enrichStores as enrich, requireBatchSize } from './enrich-stores.ts';

export const enrichStores = defineEndpoint({
  id: 'enrichStores',
  method: 'POST',
  path: '/v1/stores/enrich',
  tag: 'Stores',
  summary: 'Profiles of many stores',
  description:
    'Every input is canonicalized and answered by itself, in order. With refresh true (scope write:scans) unknown and stale ' +
    'domains are queued for a scan; the request never visits a site. A scan usually completes within minutes.\n\nTo see its end, read ' +
    'GET /v1/jobs/{job_id} with scan_job_id about every 10 seconds, free (scope read:jobs). The job ends within an hour, and says ' +
    'why a scan failed. When it has succeeded, GET /v1/stores/{domain} has the profile. A key without read:jobs reads the store after a ' +
    'few minutes: 404 and, with If-None-Match, 304 are free.\n\nA scan can fail, for example when the site does not answer: then an unknown domain stays 404, a known one keeps its ' +
    'profile, and the scan stays billed. A further request with refresh true then queues and bills another scan; while a scan of ' +
    'the domain is queued or running for the workspace, such a request joins it free.',
  access: 'key',
  scope: 'read:stores',
  bodyScopes: ({ refresh }) => (refresh === true ? [{ scope: 'write:scans', reason: 'refresh: true' }] : []),
  billing: {
    units: ['lookup_cached', 'lookup_live'],
    when: 'One lookup_cached per matched or stale result, one lookup_live per queued scan',
  },
  body: enrichRequest,
  idempotent: true,
  lookedUp: ({ body }) => body.domains as string[],
  success: {
    status: 200,
    description: 'Results in the order of the inputs.',
    schema: enrichResponse,
    example: {
      request_id: exampleRequestId,
      billed: { lookup_cached: 1, lookup_live: 1 },
      results: [
        {
          input: 'https://shop.example/',
          match: 'matched',
          reason: null,
          scan_requested: false,
          scan_job_id: null,
          store: storeExample,
        },
        {
          input: 'new-shop.example',
          match: 'no_match',
          reason: 'not_in_corpus',
          scan_requested: true,
          scan_job_id: 'job_01kandxv3w9p4nsbq7g8e2hm5t',
          store: null,
        },
        {
          input: '127.0.0.1',
          match: 'error',
          reason: 'invalid_domain',
          scan_requested: false,
          scan_job_id: null,
          store: null,
        },
      ],
    },
    requestExample: { domains: ['https://shop.example/', 'new-shop.example', '127.0.0.1'], refresh: true },
    headers: ['Cache-Control'],
  },
  errors: ['payment_required'],
  handle(request, deps) {
    const { domains, refresh } = request.body;
    requireBatchSize(request.caller.plan, domains.length);
    return runIdempotently(deps, request, request.json, async (charge) => {
      const { body, remaining, voidCharge } = await enrich(deps, { ...charge, inputs: domains, refresh });
      return { ...storableReply(200, body, remaining), voidCharge };
    });
  },
});
