import { free } from '../../contract/operation.ts';
import { jsonReply, storableReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import {
  exampleDomain,
  exampleJob,
  failedJob,
  job,
  jobPage,
  jobParams,
  jobResults,
  jobResultsQuery,
  listJobsQuery,
  noUnits,
} from './contract.ts';
import { cancel, pageOfJobs, pageOfResults, readJob } from './jobs.ts';

const shared = { tag: 'Jobs', access: 'key' } as const;
const read = { ...shared, method: 'GET', scope: 'read:jobs', billing: free } as const;
const headers = ['Cache-Control'] as const;

export const listJobs = defineEndpoint({
  ...read,
  id: 'listJobs',
  path: '/v1/jobs',
  summary: "The workspace's jobs, newest first",
  description:
    'Jobs are kept for 90 days after their end. A job of a request that is still in progress may be listed as queued, and is gone ' +
    'when that request is refused.',
  query: listJobsQuery,
  success: {
    status: 200,
    description: 'A page of jobs.',
    schema: jobPage,
    example: { data: [exampleJob, failedJob], next_cursor: null },
    headers,
  },
  handle: async (request, deps) => jsonReply(200, await pageOfJobs(deps, request, request.query)),
});

export const getJob = defineEndpoint({
  ...read,
  id: 'getJob',
  path: '/v1/jobs/{job_id}',
  summary: 'One job',
  description: 'A job is there as soon as a response has its id, and for 90 days after its end.',
  params: jobParams,
  success: { status: 200, description: 'The job.', schema: job, example: failedJob, headers },
  errors: ['not_found_job'],
  handle: async (request, deps) => jsonReply(200, await readJob(deps, request, request.params.job_id)),
});

export const getJobResults = defineEndpoint({
  ...read,
  id: 'getJobResults',
  path: '/v1/jobs/{job_id}/results',
  summary: 'What a job did, by domain',
  params: jobParams,
  query: jobResultsQuery,
  success: {
    status: 200,
    description: 'A page of results.',
    schema: jobResults,
    example: { data: [{ domain: exampleDomain, state: 'failed', error: failedJob.error }], next_cursor: null },
    headers,
  },
  errors: ['not_found_job'],
  handle: async (request, deps) =>
    jsonReply(200, await pageOfResults(deps, request, request.params.job_id, request.query.cursor)),
});

export const cancelJob = defineEndpoint({
  ...shared,
  id: 'cancelJob',
  method: 'POST',
  path: '/v1/jobs/{job_id}/cancel',
  summary: 'Cancel a job',
  description:
    'A queued job is canceled, and its unit goes back to the period in which it was billed, usually within seconds. A running job is ' +
    'canceled at once and stays billed. A job that has ended is returned as it is. Jobs of other workspaces for the same ' +
    'domain go on. A body may be absent or an object without members.',
  scope: 'write:scans',
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
    return runIdempotently(deps, request, { job_id }, async () => ({
      ...storableReply(200, await cancel(deps, request, job_id)),
      voidCharge: undefined,
    }));
  },
});
