import { type JobErrorMeaning, jobErrors } from '@shopscope/proto';
import { z } from 'zod';
import { jobStateMeanings, meaningsText } from '../../contract/meanings.ts';
import type { Operation } from '../../contract/operation.ts';
import {
  count,
  cursor,
  domain,
  idWith,
  named,
  nextCursor,
  pageLimit,
  pageOf,
  timestamp,
} from '../../contract/schemas.ts';
import { usageCounters } from '../account/contract.ts';
import { storeParams } from '../get-store/contract.ts';

/** Jobs (the record behind scan_job_id) and explicit scans. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export const jobTypes = ['scan', 'enrich'] as const;
export const jobErrorCodes = Object.keys(jobErrors) as [keyof typeof jobErrors, ...(keyof typeof jobErrors)[]];

const retryTexts: Readonly<Record<JobErrorMeaning['retry'], string>> = {
  soon: 'Asking for the scan again can help',
  later: 'Asking for the scan again can help later',
  no: 'Asking for the scan again does not help until the store or its domain changes',
};
const errorMeanings = Object.fromEntries(
  Object.entries(jobErrors).map(([code, { message, retry }]) => [code, `${message} ${retryTexts[retry]}`]),
);

const jobError = named(
  'JobError',
  z.object({
    code: z.enum(jobErrorCodes).describe(meaningsText(errorMeanings)),
    message: z.string().describe('What happened, as a sentence; its wording may change'),
  }),
);

export const job = named(
  'Job',
  z.object({
    id: idWith('job'),
    type: z.enum(jobTypes).describe('scan: one scan of a domain. enrich comes with a later release'),
    state: z
      .enum(jobStates)
      .describe(meaningsText(jobStateMeanings satisfies Record<(typeof jobStates)[number], string>)),
    domain: domain().nullable(),
    progress: z
      .object({
        total: count().describe('All domains of the job'),
        done: count().describe('Those that have succeeded or failed'),
        failed: count().describe('Those that have failed'),
      })
      .describe('How far the job is, in domains'),
    attempts: count().describe('Visits that counted; at most 3'),
    billed: usageCounters.describe(
      'What the job bills, once, in the period of the request that made it. A job that is canceled while queued bills nothing. ' +
        'A request that joins the job adds nothing.',
    ),
    error: jobError.nullable().describe('Why the job failed; null in other states'),
    created_at: timestamp().describe('ISO 8601, UTC: when the request that made it came'),
    started_at: timestamp().nullable().describe('ISO 8601, UTC: when the first visit began'),
    finished_at: timestamp().nullable().describe('ISO 8601, UTC: when it reached its last state'),
  }),
);

export const jobPage = pageOf('JobPage', job);

export const jobResults = named(
  'JobResults',
  z.object({
    data: z
      .array(
        z.object({
          domain: domain(),
          state: z.enum(['succeeded', 'failed']).describe('How its scan ended'),
          error: jobError.nullable().describe('Why it failed; null when it succeeded'),
        }),
      )
      .describe(
        'The domains that have succeeded or failed. Empty while a scan is queued or running, and when it was canceled',
      ),
    next_cursor: nextCursor(),
  }),
);

export const listJobsQuery = z.strictObject({
  state: z.enum(jobStates).optional().describe('Only jobs in this state'),
  type: z.enum(jobTypes).optional().describe('Only jobs of this type'),
  cursor: cursor(),
  limit: pageLimit(),
});
export const jobResultsQuery = z.strictObject({ cursor: cursor(), limit: pageLimit() });

const params = z.object({ job_id: idWith('job') });
const exampleDomain = 'shop.example';
const exampleTime = '2026-01-15T12:00:00.000Z';

export const exampleJob = {
  id: 'job_01kandxv3w9p4nsbq7g8e2hm5t',
  type: 'scan',
  state: 'queued',
  domain: exampleDomain,
  progress: { total: 1, done: 0, failed: 0 },
  attempts: 0,
  billed: { lookup_cached: 0, lookup_live: 1, history_query: 0, refresh_requested: 0 },
  error: null,
  created_at: exampleTime,
  started_at: null,
  finished_at: null,
} as const;
const noUnits = { lookup_cached: 0, lookup_live: 0, history_query: 0, refresh_requested: 0 };
const failedJob = {
  ...exampleJob,
  state: 'failed',
  progress: { total: 1, done: 1, failed: 1 },
  attempts: 1,
  error: { code: 'dns_failure', message: jobErrors.dns_failure.message },
  started_at: '2026-01-15T12:00:04.000Z',
  finished_at: '2026-01-15T12:00:09.000Z',
};

const key = { tag: 'Jobs', access: 'key', served: true } as const;
const read = { ...key, scope: 'read:jobs', billing: 'free', units: [] } as const;
const headers = ['Cache-Control'] as const;

export const jobOperations = [
  {
    ...key,
    id: 'requestScan',
    method: 'POST',
    path: '/v1/stores/{domain}/scans',
    summary: 'Ask for a scan of one store',
    description:
      'Queues a scan of the domain, whether its profile is fresh or not, and returns the job; the request never visits the site.\n\n' +
      'While a scan of the domain is queued or running for the workspace, the request joins its job, and nothing is billed. Poll ' +
      'GET /v1/jobs/{job_id} about every 10 seconds until the state is succeeded, failed or canceled. A scan that fails stays ' +
      'billed. A body may be absent or an object without members.',
    scope: 'write:scans',
    billing: 'One refresh_requested; joining a scan in flight is free',
    units: ['refresh_requested'],
    params: storeParams,
    idempotent: true,
    success: {
      status: 202,
      description: 'The job.',
      schema: job,
      example: { ...exampleJob, billed: { ...noUnits, refresh_requested: 1 } },
      headers,
    },
    errors: ['payment_required'],
  },
  {
    ...read,
    id: 'listJobs',
    method: 'GET',
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
  },
  {
    ...read,
    id: 'getJob',
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    summary: 'One job',
    description: 'A job is there as soon as a response has its id, and for 90 days after its end.',
    params,
    success: { status: 200, description: 'The job.', schema: job, example: failedJob, headers },
    errors: ['not_found_job'],
  },
  {
    ...read,
    id: 'getJobResults',
    method: 'GET',
    path: '/v1/jobs/{job_id}/results',
    summary: 'What a job did, by domain',
    params,
    query: jobResultsQuery,
    success: {
      status: 200,
      description: 'A page of results.',
      schema: jobResults,
      example: { data: [{ domain: exampleDomain, state: 'failed', error: failedJob.error }], next_cursor: null },
      headers,
    },
    errors: ['not_found_job'],
  },
  {
    ...key,
    id: 'cancelJob',
    method: 'POST',
    path: '/v1/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description:
      'A queued job is canceled, and its unit goes back to the period in which it was billed, usually within seconds. A running job is ' +
      'canceled at once and stays billed. A job that has ended is returned as it is. Jobs of other workspaces for the same ' +
      'domain go on. A body may be absent or an object without members.',
    scope: 'write:scans',
    billing: 'free; gives back the unit of a job that is canceled while queued',
    units: [],
    params,
    idempotent: true,
    success: {
      status: 200,
      description: 'The job.',
      schema: job,
      example: { ...exampleJob, state: 'canceled', billed: noUnits, finished_at: '2026-01-15T12:00:02.000Z' },
      headers,
    },
    errors: ['not_found_job'],
  },
] as const satisfies readonly Operation[];
