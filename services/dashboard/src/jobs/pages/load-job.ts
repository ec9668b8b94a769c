import { contextOf, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { Job, JobResults } from '../operations/jobs.ts';

/** Plain JSON, because the page reads it again every few seconds. */
export interface JobStatus {
  nowMs: number;
  job: Job;
  /** Absent if the job has none. */
  results?: JobResults;
}

/** Reads a job and a page of its results. */
export async function readJob(context: PageContext, jobId: string, cursor: string | undefined): Promise<JobStatus> {
  const { jobs, usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const job = await jobs.get(visit, jobId);
  // A job that has not begun has no results.
  const hasResults = job.type === 'enrich' && job.progress.done > 0;
  const results = hasResults ? { results: await jobs.results(visit, jobId, cursor) } : {};
  return { job, ...results, nowMs: usage.nowMs() };
}
