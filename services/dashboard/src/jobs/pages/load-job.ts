import { contextOf, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { ResultRow } from '../domain/result-row.ts';
import type { Job } from '../operations/jobs.ts';

/** Plain JSON, because the page reads it again every few seconds. */
export interface JobStatus {
  nowMs: number;
  job: Job;
  /** Absent if the page that is shown is full and does not change any more. */
  results?: { rows: ResultRow[]; isFull: boolean; next: string | undefined };
}

/** Reads a job and a page of its results. A full page never changes, so `withResults` is then false. */
export async function readJob(
  context: PageContext,
  jobId: string,
  { cursor, withResults }: { cursor: string | undefined; withResults: boolean },
): Promise<JobStatus> {
  const { jobs, usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const job = await jobs.get(visit, jobId);
  // A job that has not begun has no results.
  const hasResults = withResults && job.type === 'enrich' && job.progress.done > 0;
  const results = hasResults ? { results: await jobs.results(visit, jobId, cursor) } : {};
  return { job, ...results, nowMs: usage.nowMs() };
}
