import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import type { BulkJob, BulkJobState } from '../../domain/bulk-job.ts';
import type { JobResult } from '../../domain/job-step.ts';
import type { Quote } from '../../operations/jobs/count-list.ts';
import type { ResultPage } from '../../operations/jobs/list-job-results.ts';
import type { JobFilter } from '../../outbound/mongo/bulk-jobs.ts';

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

export const encodeJob = (job: BulkJob): proto.BulkJob => ({
  id: job.id,
  type: proto.BulkJobType.ENRICH,
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
});

export const encodeQuote = ({ matched, stale, unknown, units }: Quote): proto.QuoteListEnrichResponse => ({
  matched,
  stale,
  unknown,
  quote: units,
});

/** Returns null for a filter that no job of this service matches. */
export function decodeJobFilter(request: proto.ListBulkJobsRequest): (JobFilter & { limit: number }) | null {
  const { types, jobIds, after, limit } = request;
  if (types.length > 0 && !types.includes(proto.BulkJobType.ENRICH)) return null;
  const wanted = request.states.flatMap((state) => {
    const names = Object.entries(states).filter(([, value]) => value === state);
    if (names.length === 0) throw invalidField('states', 'must be known states');
    return names.map(([name]) => name as BulkJobState);
  });
  const position = after && { createdAt: new Date(after.createdAtMs), id: after.jobId };
  return { states: wanted, ids: jobIds, after: position, limit };
}

const matches: Record<JobResult['match'], proto.ResultMatch> = {
  matched: proto.ResultMatch.MATCHED,
  stale: proto.ResultMatch.STALE,
  no_match: proto.ResultMatch.NO_MATCH,
  error: proto.ResultMatch.ERROR,
};

export const encodeResults = ({ results, hasMore }: ResultPage): proto.ListBulkJobResultsResponse => ({
  results: results.map(({ domain, externalId, match, reason, scanJobId, store }) => ({
    domain,
    externalId: externalId ?? undefined,
    match: matches[match],
    reason: reason ?? '',
    scanJobId: scanJobId ?? undefined,
    store: store ?? undefined,
  })),
  hasMore,
  type: proto.BulkJobType.ENRICH,
});
