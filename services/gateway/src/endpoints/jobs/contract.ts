import { type JobErrorMeaning, jobErrors } from '@shopscope/proto';
import { z } from 'zod';
import { jobStateMeanings, jobTypeMeanings } from '../../contract/meanings.ts';
import {
  count,
  cursor,
  domain,
  idWith,
  named,
  nextCursor,
  openEnum,
  pageLimit,
  pageOf,
  timestamp,
} from '../../contract/schemas.ts';
import { usageCounters } from '../account/contract.ts';

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
) as Record<keyof typeof jobErrors, string>;

export const jobError = named(
  'JobError',
  z.object({
    code: openEnum(jobErrorCodes, { meanings: errorMeanings }),
    message: z.string().describe('What happened, as a sentence; its wording may change'),
  }),
);

export const job = named(
  'Job',
  z.object({
    id: idWith('job'),
    type: openEnum(jobTypes, { meanings: jobTypeMeanings }),
    state: openEnum(jobStates, { meanings: jobStateMeanings }),
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
          state: openEnum(['succeeded', 'failed'], { more: 'How its scan ended.' }),
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

export const jobParams = z.object({ job_id: idWith('job') });
export const exampleDomain = 'shop.example';
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
export const noUnits = { lookup_cached: 0, lookup_live: 0, history_query: 0, refresh_requested: 0 };
export const failedJob = {
  ...exampleJob,
  state: 'failed',
  progress: { total: 1, done: 1, failed: 1 },
  attempts: 1,
  error: { code: 'dns_failure', message: jobErrors.dns_failure.message },
  started_at: '2026-01-15T12:00:04.000Z',
  finished_at: '2026-01-15T12:00:09.000Z',
};
