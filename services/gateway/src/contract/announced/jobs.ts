import { z } from 'zod';
import { usageCounters } from '../account.ts';
import type { Operation } from '../operation.ts';
import { count, domain, idWith, named, pageOf, timestamp } from '../schemas.ts';
import { storeParams } from '../store.ts';
import { exampleDomain, exampleTime, idParams, pageQuery } from './shared.ts';

/** Jobs (the record behind scan_job_id) and explicit scans. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export const jobTypes = ['scan', 'enrich'] as const;

export const job = named(
  'Job',
  z.object({
    id: idWith('job'),
    type: z.enum(jobTypes),
    state: z.enum(jobStates),
    domain: domain().nullable(),
    progress: z.object({ total: count(), done: count(), failed: count() }),
    attempts: count().describe('At most 3'),
    billed: usageCounters,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
  }),
);

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
};

const jobResults = named(
  'JobResults',
  z.object({
    data: z.array(
      z.object({
        domain: domain(),
        state: z.enum(['succeeded', 'failed']),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
);

const params = idParams('job_id', 'job');
const read = { tag: 'Jobs', access: 'key', scope: 'read:jobs', billing: 'free', served: false } as const;

export const announcedJobOperations = [
  {
    id: 'requestScan',
    method: 'POST',
    path: '/v1/stores/{domain}/scans',
    tag: 'Jobs',
    summary: 'Ask for a scan of one store',
    access: 'key',
    scope: 'write:scans',
    billing: 'One refresh_requested; joining a scan in flight is free',
    served: false,
    params: storeParams,
    idempotent: true,
    success: { status: 202, description: 'The job.', schema: job, example: exampleJob },
    errors: ['payment_required'],
  },
  {
    ...read,
    id: 'listJobs',
    method: 'GET',
    path: '/v1/jobs',
    summary: "The workspace's jobs, newest first",
    query: z.strictObject({ state: z.enum(jobStates).optional(), type: z.enum(jobTypes).optional(), ...pageQuery }),
    success: {
      status: 200,
      description: 'A page of jobs.',
      schema: pageOf('JobPage', job),
      example: { data: [exampleJob], next_cursor: null },
    },
  },
  {
    ...read,
    id: 'getJob',
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    summary: 'One job',
    params,
    success: { status: 200, description: 'The job.', schema: job, example: exampleJob },
    errors: ['not_found'],
  },
  {
    ...read,
    id: 'getJobResults',
    method: 'GET',
    path: '/v1/jobs/{job_id}/results',
    summary: 'What a job did, by domain',
    params,
    query: z.strictObject(pageQuery),
    success: {
      status: 200,
      description: 'A page of results.',
      schema: jobResults,
      example: { data: [{ domain: exampleDomain, state: 'succeeded', error: null }], next_cursor: null },
    },
    errors: ['not_found'],
  },
  {
    ...read,
    id: 'cancelJob',
    method: 'POST',
    path: '/v1/jobs/{job_id}/cancel',
    summary: 'Cancel a job that has not started',
    scope: 'write:scans',
    billing: 'A job canceled while queued is given back',
    params,
    idempotent: true,
    success: { status: 200, description: 'The job.', schema: job, example: { ...exampleJob, state: 'canceled' } },
    errors: ['not_found'],
  },
] as const satisfies readonly Operation[];
