import { type BulkJobErrorCode, bulkJobErrors, type JobErrorMeaning, jobErrors } from '@shopscope/proto';
import { z } from 'zod';
import {
  jobMatchMeanings,
  jobReasonMeanings,
  jobStateMeanings,
  jobTypeMeanings,
  meaningsText,
} from '../../contract/meanings.ts';
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
  queryList,
  smallCount,
  timestamp,
} from '../../contract/schemas.ts';
import { usageCounters } from '../account/contract.ts';
import { enrichResult, matchValues } from '../enrich-stores/contract.ts';

/** Jobs: scans of one domain (the record behind scan_job_id), enrichments of lists, and replays of webhooks. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export const jobTypes = ['scan', 'enrich', 'replay', 'export'] as const;
type JobErrorCode = keyof typeof jobErrors | BulkJobErrorCode;
export const jobErrorCodes = [...Object.keys(jobErrors), ...Object.keys(bulkJobErrors)] as [
  JobErrorCode,
  ...JobErrorCode[],
];

const retryTexts: Readonly<Record<JobErrorMeaning['retry'], string>> = {
  soon: 'Asking for the scan again can help',
  later: 'Asking for the scan again can help later',
  no: 'Asking for the scan again does not help until the store or its domain changes',
};
const errorMeanings = Object.fromEntries([
  ...Object.entries(jobErrors).map(([code, { message, retry }]) => [code, `${message} ${retryTexts[retry]}`]),
  ...Object.entries(bulkJobErrors).map(([code, { message }]) => [code, message]),
]) as Record<JobErrorCode, string>;

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
    domain: domain().nullable().describe('The domain of a scan, or null for a job with several domains'),
    progress: z
      .object({
        total: smallCount().describe(
          'All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may be rounded or hidden',
        ),
        done: smallCount().describe('Those that have a result'),
        failed: smallCount().describe('Those whose result is an error'),
      })
      .describe('The progress of the job, in domains; of a replay, in events; of an export, in rows'),
    attempts: smallCount().describe('Visits that counted; at most 3. 0 for other jobs'),
    billed: usageCounters.describe(
      'What the job bills, once. A scan bills in the period of the request that made it; one that is canceled while queued bills nothing, ' +
        'and a request that joins it adds nothing. Of an enrichment or export: what its results so far have billed.',
    ),
    error: jobError.nullable().describe('Why the job failed; null in other states'),
    created_at: timestamp().describe('ISO 8601, UTC: when the request that made it came'),
    started_at: timestamp().nullable().describe('ISO 8601, UTC: when the first visit began'),
    finished_at: timestamp().nullable().describe('ISO 8601, UTC: when it reached its last state'),
    expires_at: timestamp()
      .nullable()
      .describe(
        'ISO 8601, UTC: when a job that is no scan is deleted, 30 days after its end. null before its end, and of a scan, which is ' +
          'kept for 90 days after its end',
      ),
  }),
);

export const jobPage = pageOf('JobPage', job);

export const scanJobResult = named(
  'ScanJobResult',
  z.object({
    domain: domain(),
    state: openEnum(['succeeded', 'failed'], { more: 'How its scan ended.' }),
    error: jobError.nullable().describe('Why it failed; null when it succeeded'),
  }),
);

const jobReasons = Object.keys(jobReasonMeanings) as (keyof typeof jobReasonMeanings)[];
export const enrichJobResult = named(
  'EnrichJobResult',
  z.object({
    domain: domain(),
    external_id: z
      .string()
      .nullable()
      .describe('The external id of the store in the list when the job began; null without one'),
    ...enrichResult.shape,
    input: z.string().describe('The domain'),
    match: z.enum(matchValues).describe(meaningsText(jobMatchMeanings)),
    reason: openEnum(jobReasons, { meanings: jobReasonMeanings }).nullable(),
  }),
);
export const exportPart = named(
  'ExportPart',
  z.object({
    part: z.int().min(1).describe('Number, from 1. The parts in their order are the file'),
    rows: count(),
    bytes: count().describe('Of the uncompressed part'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Of the uncompressed part, hexadecimal'),
    url: z.url().describe('GET /v1/jobs/{job_id}/parts/{part}'),
  }),
  'A part of an export.',
);
export const partContent = named('ExportContent', z.string(), 'Lines of NDJSON, or records of CSV.');
export const jobResult = named('JobResult', z.union([enrichJobResult, scanJobResult, exportPart]));

export const jobResults = named(
  'JobResults',
  z.object({
    data: z
      .array(jobResult)
      .describe(
        'The results that exist, in the order of the domains. A scan has one ScanJobResult after it has succeeded or failed. ' +
          'An enrichment has an EnrichJobResult for each store that is done, and an export an ExportPart for each part, even while the job is running.',
      ),
    next_cursor: nextCursor(),
  }),
);
/** The largest number of ids of one request. */
export const maxJobIds = 100;
export const listJobsQuery = z.strictObject({
  state: z.enum(jobStates).optional().describe('Only jobs in this state'),
  type: z.enum(jobTypes).optional().describe('Only jobs of this type'),
  ids: queryList(
    idWith('job'),
    'Only these jobs, in this order and on one page. Unknown ones are left out. Without state, type and cursor',
    maxJobIds,
  ),
  cursor: cursor(),
  limit: pageLimit(),
});
export const jobResultsQuery = z.strictObject({ cursor: cursor(), limit: pageLimit() });

export const jobParams = z.object({ job_id: idWith('job') });
export const partParams = z.object({
  job_id: idWith('job'),
  part: z.coerce.number().int().min(1).max(100_000).describe('Number of the part, from 1'),
});
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
  expires_at: null,
} as const;
/** The part of an id after its prefix begins with a letter that ids of scans do not have. */
export const exampleEnrichJob = {
  ...exampleJob,
  id: 'job_u1kandxv3w9p4nsbq7g8e2hm5t',
  type: 'enrich',
  domain: null,
  progress: { total: 2, done: 0, failed: 0 },
  billed: { lookup_cached: 0, lookup_live: 0, history_query: 0, refresh_requested: 0 },
} as const;
/** The part of an id after its prefix begins with a letter that other ids do not have. */
export const exampleReplayJob = { ...exampleEnrichJob, id: 'job_o1kandxv3w9p4nsbq7g8e2hm5t', type: 'replay' } as const;
export const exampleExportJob = {
  ...exampleEnrichJob,
  type: 'export',
  progress: { total: 1_840, done: 0, failed: 0 },
} as const;
export const examplePart = {
  part: 1,
  rows: 1_000,
  bytes: 4_213_907,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  url: `https://api.shopscope.example/v1/jobs/${exampleEnrichJob.id}/parts/1`,
};
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
