import type { Deadline } from '@shopscope/async';
import { createRequestDeadline } from '@shopscope/charging';
import { invalidField } from '@shopscope/errors';
import type { ExportPart } from '@shopscope/proto';
import { quoted } from '@shopscope/text';
import { linesReply, pageReply, type Reply } from '../../http/reply/reply.ts';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { isListJob, isReplay, type JobClients } from './job-owners.ts';
import { findReplay, findScan } from './jobs.ts';
import { resultRow } from './result-row.ts';
import { scanResultsOf } from './scan-job-body.ts';

/**
 * The results of a job, as pages or as lines (NDJSON).
 *
 * - Results of an enrichment are ordered by domain. A result never changes. Those of a job that has not ended are what is done, also with
 *   gaps before a place that was read.
 * - Bound: a call reads at most {@link maxRowsPerCall} results, because each may have a store of 128 KiB and a message has at most 16 MiB.
 */
const maxRowsPerCall = 100;
/** A part of a stream has fewer results than a page, because a slow reader keeps it in memory. */
const rowsPerPart = 50;

type ResultDependencies = JobClients & Pick<Dependencies, 'cursors' | 'clock' | 'publicApiUrl'>;
type ResultsRequest = CallerRequest & {
  params: { job_id: string };
  query: { cursor?: string | undefined; limit: number };
};

export async function pageOfResults(deps: ResultDependencies, request: ResultsRequest): Promise<Reply> {
  const { job_id: jobId } = request.params;
  const { cursor, limit } = request.query;
  if (!isListJob(jobId)) return pageReply(await fewRows(deps, request), null);
  const bound = boundOf(request);
  let after = cursor === undefined ? '' : deps.cursors.verify(bound, cursor);
  const rows: Buffer[] = [];
  for (let hasMore = true; hasMore && rows.length < limit; ) {
    const page = await readResults(deps, request, { after, limit: Math.min(limit - rows.length, maxRowsPerCall) });
    rows.push(...page.rows);
    ({ after, hasMore } = page);
    if (!hasMore) return pageReply(rows, null);
  }
  return pageReply(rows, deps.cursors.sign(bound, after));
}

/** Responds with all results, from the cursor on if there is one. An error before the first line is a response of its own. */
export async function linesOfResults(deps: ResultDependencies, request: ResultsRequest): Promise<Reply> {
  const { job_id: jobId } = request.params;
  const { cursor } = request.query;
  if (!isListJob(jobId)) {
    const rows = await fewRows(deps, request);
    return linesReply(async function* () {
      yield asLines(rows);
    });
  }
  const after = cursor === undefined ? '' : deps.cursors.verify(boundOf(request), cursor);
  let page = await readResults(deps, request, { after, limit: rowsPerPart });
  return linesReply(async function* (until: Deadline) {
    for (;;) {
      yield asLines(page.rows);
      if (!page.hasMore) return;
      until.timeoutMs();
      const next = { ...request, deadline: createRequestDeadline(deps.clock) };
      page = await readResults(deps, next, { after: page.after, limit: rowsPerPart });
    }
  });
}

const boundOf = ({ caller: { keyEnvironment, workspaceId }, params }: ResultsRequest) => [
  'job results',
  keyEnvironment,
  workspaceId,
  params.job_id,
];

/** A scan has at most one result and a replay has none, so no page has a cursor. */
async function fewRows(deps: ResultDependencies, request: ResultsRequest): Promise<Buffer[]> {
  const { cursor } = request.query;
  const { job_id: jobId } = request.params;
  const results = isReplay(jobId)
    ? await findReplay(deps, request, jobId).then(() => [])
    : scanResultsOf(await findScan(deps, request, jobId));
  if (cursor !== undefined) {
    throw invalidField('cursor', `must be the next_cursor of a page of this query, not ${quoted(cursor)}`);
  }
  return results.map((result) => Buffer.from(JSON.stringify(result)));
}

async function readResults(
  { subscriptions, publicApiUrl }: Pick<ResultDependencies, 'subscriptions' | 'publicApiUrl'>,
  request: ResultsRequest,
  { after, limit }: { after: string; limit: number },
) {
  const { workspaceId } = request.caller;
  const jobId = request.params.job_id;
  // No domain has digits only.
  const isPart = /^\d+$/.test(after);
  const page = {
    workspaceId,
    jobId,
    afterDomain: isPart ? '' : after,
    afterPart: isPart ? Number(after) : undefined,
    limit,
  };
  const { results, parts, hasMore } = await subscriptions.listBulkJobResults(page, request);
  const last = parts.at(-1)?.part.toString() ?? results.at(-1)?.domain;
  // The same page would be read again without end.
  if (hasMore && last === undefined) throw new Error('a page without results has a further one');
  const rows = [
    ...results.map(resultRow),
    ...parts.map((part) => Buffer.from(JSON.stringify(partRow(publicApiUrl, jobId, part)))),
  ];
  return { rows, hasMore, after: last ?? after };
}

const partRow = (apiUrl: string, jobId: string, { part, rows, bytes, sha256 }: ExportPart) => ({
  part,
  rows,
  bytes,
  sha256,
  url: `${apiUrl}/v1/jobs/${jobId}/parts/${part}`,
});

const newline = Buffer.from('\n');
const asLines = (rows: readonly Buffer[]): Buffer => Buffer.concat(rows.flatMap((row) => [row, newline]));
