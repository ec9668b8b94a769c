import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import { type BulkJob, type BulkJobState, scopesOfJob } from '../../domain/bulk-job.ts';
import type { JobResult } from '../../domain/job-step.ts';
import type { Quote } from '../../operations/jobs/count-list.ts';
import type { ResultPage } from '../../operations/jobs/list-job-results.ts';
import type { JobFilter } from '../../outbound/mongo/bulk-jobs.ts';
import { encodePart } from './encode-exports.ts';

const states: Record<BulkJobState, proto.BulkJobState> = {
  preparing: proto.BulkJobState.QUEUED,
  queued: proto.BulkJobState.QUEUED,
  running: proto.BulkJobState.RUNNING,
  canceling: proto.BulkJobState.RUNNING,
  failing: proto.BulkJobState.RUNNING,
  succeeded: proto.BulkJobState.SUCCEEDED,
  failed: proto.BulkJobState.FAILED,
  canceled: proto.BulkJobState.CANCELED,
};

const types: Record<BulkJob['type'], proto.BulkJobType> = {
  enrich: proto.BulkJobType.ENRICH,
  export: proto.BulkJobType.EXPORT,
};

export const encodeJob = (job: BulkJob): proto.BulkJob => ({
  id: job.id,
  type: types[job.type],
  state: states[job.state],
  total: job.total,
  done: job.done,
  failed: job.failed,
  billed: proto.unitsOf(job.billed),
  errorCode: job.error?.code ?? '',
  errorMessage: job.error?.message ?? '',
  createdAtMs: job.createdAt.getTime(),
  startedAtMs: job.startedAt?.getTime(),
  finishedAtMs: job.finishedAt?.getTime(),
  expiresAtMs: job.expiresAt?.getTime() ?? 0,
  refresh: job.refresh,
  scopes: job.export ? scopesOfJob(job) : [],
});

export const encodeQuote = ({ matched, stale, unknown, units }: Quote): proto.QuoteListEnrichResponse => ({
  matched,
  stale,
  unknown,
  quote: units,
});

/** Returns null for a filter that no job of this service matches. */
export function decodeJobFilter(request: proto.ListBulkJobsRequest): (JobFilter & { limit: number }) | null {
  const { jobIds, after, limit } = request;
  const wantedTypes = (['enrich', 'export'] as const).filter((type) => request.types.includes(types[type]));
  if (request.types.length > 0 && wantedTypes.length === 0) return null;
  const wanted = request.states.flatMap((state) => {
    const names = Object.entries(states).filter(([, value]) => value === state);
    if (names.length === 0) throw invalidField('states', 'must be known states');
    return names.map(([name]) => name as BulkJobState);
  });
  const position = after && { createdAt: new Date(after.createdAtMs), id: after.jobId };
  return { types: wantedTypes, states: wanted, ids: jobIds, after: position, limit };
}

const matches: Record<JobResult['match'], proto.ResultMatch> = {
  matched: proto.ResultMatch.MATCHED,
  stale: proto.ResultMatch.STALE,
  no_match: proto.ResultMatch.NO_MATCH,
  error: proto.ResultMatch.ERROR,
};

export const encodeResults = ({ results, parts, hasMore, type }: ResultPage): proto.ListBulkJobResultsResponse => ({
  results: results.map(({ domain, externalId, match, reason, scanJobId, store }) => ({
    domain,
    externalId: externalId ?? undefined,
    match: matches[match],
    reason: reason ?? '',
    scanJobId: scanJobId ?? undefined,
    store: store ?? undefined,
  })),
  parts: parts.map(encodePart),
  hasMore,
  type: types[type],
});
