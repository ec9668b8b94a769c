import { contextOf, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { ExportParts, Job, JobResults } from '../operations/jobs.ts';

/** Plain JSON, because the page reads it again every few seconds. */
export interface JobStatus {
  nowMs: number;
  job: Job;
  /** The results of an enrichment, if it has any. */
  results?: JobResults;
  /** The parts of an export, if it has any. */
  parts?: ExportParts;
}

/** Reads a job and a page of its results or parts. */
export async function readJob(context: PageContext, jobId: string, cursor: string | undefined): Promise<JobStatus> {
  const { jobs, usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const job = await jobs.get(visit, jobId);
  const nowMs = usage.nowMs();
  // A job that has not begun has no results.
  if (job.progress.done === 0) return { job, nowMs };
  if (job.type === 'enrich') return { job, results: await jobs.results(visit, jobId, cursor), nowMs };
  if (job.type === 'export') return { job, parts: await jobs.parts(visit, jobId, cursor), nowMs };
  return { job, nowMs };
}
