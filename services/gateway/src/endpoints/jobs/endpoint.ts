import { free } from '../../contract/operation.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeExample } from '../get-store/examples.ts';
import { prefersLines } from './accepted-type.ts';
import {
  exampleDomain,
  exampleEnrichJob,
  exampleJob,
  failedJob,
  job,
  jobPage,
  jobParams,
  jobResult,
  jobResults,
  jobResultsQuery,
  listJobsQuery,
  noUnits,
} from './contract.ts';
import { isListJob, isReplay, replayScope, scanScope } from './job-owners.ts';
import { pageOfJobs } from './job-pages.ts';
import { linesOfResults, pageOfResults } from './job-results.ts';
import { cancel, readJob } from './jobs.ts';

const shared = { tag: 'Jobs', access: 'key' } as const;
const read = { ...shared, method: 'GET', scope: 'read:jobs', billing: free } as const;
const headers = ['Cache-Control'] as const;

export const listJobs = defineEndpoint({
  ...read,
  id: 'listJobs',
  path: '/v1/jobs',
  summary: "The workspace's jobs, newest first",
  description:
    'Scans are kept for 90 days after their end, other jobs for 30. A job of a request that is still in progress may be listed as queued, and is gone ' +
    'when that request is refused.',
  query: listJobsQuery,
  success: {
    status: 200,
    description: 'A page of jobs.',
    schema: jobPage,
    example: { data: [exampleEnrichJob, failedJob], next_cursor: null },
    headers,
  },
  handle: async (request, deps) => jsonReply(200, await pageOfJobs(deps, request, request.query)),
});

export const getJob = defineEndpoint({
  ...read,
  id: 'getJob',
  path: '/v1/jobs/{job_id}',
  summary: 'One job',
  description:
    'A job exists as soon as a response has its id. A scan is kept for 90 days after its end, another job for 30.',
  params: jobParams,
  success: { status: 200, description: 'The job.', schema: job, example: failedJob, headers },
  errors: ['not_found_job'],
  handle: async (request, deps) => jsonReply(200, await readJob(deps, request, request.params.job_id)),
});

export const getJobResults = defineEndpoint({
  ...read,
  id: 'getJobResults',
  path: '/v1/jobs/{job_id}/results',
  summary: 'What a job did, by domain or part',
  description:
    'Until the job has ended, results can be missing: read them again from the start when the job has ended. A store has the same bytes as in ' +
    'GET /v1/stores/{domain}. With Accept: application/x-ndjson the response has one line for every result, and the limit does not apply. ' +
    'That response may take 30 minutes, and its connection closes early if rows are missing. A replay has no results: ' +
    'GET /v1/webhooks/{webhook_id}/deliveries has its deliveries. An export has its parts. Free.',
  params: jobParams,
  query: jobResultsQuery,
  success: {
    status: 200,
    description: 'A page of results.',
    schema: jobResults,
    line: jobResult,
    example: {
      data: [
        {
          domain: exampleDomain,
          external_id: 'crm-1042',
          input: exampleDomain,
          match: 'matched',
          reason: null,
          scan_requested: false,
          scan_job_id: null,
          store: storeExample,
        },
      ],
      next_cursor: null,
    },
    headers,
  },
  errors: ['not_found_job'],
  handle: (request, deps) =>
    prefersLines(request.headers.accept) ? linesOfResults(deps, request) : pageOfResults(deps, request),
});

export const cancelJob = defineEndpoint({
  ...shared,
  id: 'cancelJob',
  method: 'POST',
  path: '/v1/jobs/{job_id}/cancel',
  summary: 'Cancel a job',
  description:
    'A queued job is canceled, and its unit goes back to the period in which it was billed, usually within seconds. A running job is ' +
    'canceled and stays billed. An enrichment whose step is being billed answers running until that step has ended. A job that has ' +
    'ended is returned as it is. Jobs of other workspaces for the same domain continue. An enrichment keeps its results, which ' +
    'stay billed. Canceling needs the scopes that start such a job: write:scans for a scan, write:webhooks for a replay, those of ' +
    'POST /v1/lists/{list_id}/enrich for an enrichment, those of the query for an export. A canceled replay withdraws the deliveries that were not tried. A body may be absent or an object without members.',
  pathScope: ({ job_id = '' }) => (isListJob(job_id) ? undefined : isReplay(job_id) ? replayScope : scanScope),
  billing: { units: [], when: 'free; gives back the unit of a job that is canceled while queued' },
  params: jobParams,
  idempotent: true,
  success: {
    status: 200,
    description: 'The job.',
    schema: job,
    example: { ...exampleJob, state: 'canceled', billed: noUnits, finished_at: '2026-01-15T12:00:02.000Z' },
    headers,
  },
  errors: ['not_found_job'],
  handle(request, deps) {
    const { job_id } = request.params;
    return runIdempotently(deps, request, { job_id }, async () =>
      unchargedReply(200, await cancel(deps, request, job_id)),
    );
  },
});
