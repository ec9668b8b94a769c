/** The jobs of a workspace, of all types. Everything here calls the API with the workspace's Dashboard key. No read is billed. */

import type { components, operations } from '@shopscope/client';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { replays } from '../../webhooks/operations.ts';
import { type ResultRow, resultRow } from '../domain/result-row.ts';

export type Job = components['schemas']['Job'];
type JobQuery = NonNullable<operations['listJobs']['parameters']['query']>;
export type JobFilters = Pick<JobQuery, 'state' | 'type'>;

/** A page of results. Each page can get more results until the job ends, because its steps end in any order. */
export interface JobResults {
  rows: ResultRow[];
  next: string | undefined;
}

/** A part of the file of an export. */
export type ExportPart = components['schemas']['ExportPart'];

/** A page of the parts of an export. */
export interface ExportParts {
  parts: ExportPart[];
  next: string | undefined;
}

const jobsPerPage = 50;
const resultsPerPage = 50;

/** A page of jobs, the newest first. */
export async function page(
  deps: Dependencies,
  visit: WorkspaceVisit,
  filters: JobFilters,
  cursor: string | undefined,
): Promise<{ jobs: readonly Job[]; next: string | undefined }> {
  const query = { limit: jobsPerPage, ...filters, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.listJobs(query));
  return { jobs: data, next: next_cursor ?? undefined };
}

export const get = (deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<Job> =>
  callApi(deps, visit, (client) => client.getJob(jobId));

/** A page of the results that an enrichment has so far, in the order of the domains. */
export async function results(
  deps: Dependencies,
  visit: WorkspaceVisit,
  jobId: string,
  cursor: string | undefined,
): Promise<JobResults> {
  const query = { limit: resultsPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.getJobResults(jobId, query));
  return { rows: data.map(resultRow), next: next_cursor ?? undefined };
}

/** A page of the parts that an export has so far, in their order. */
export async function parts(
  deps: Dependencies,
  visit: WorkspaceVisit,
  jobId: string,
  cursor: string | undefined,
): Promise<ExportParts> {
  const query = { limit: resultsPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.getJobResults(jobId, query));
  return { parts: data.filter((result) => 'sha256' in result), next: next_cursor ?? undefined };
}

/** Cancels a job. Its results stay, and what they billed stays billed. Only admins cancel a replay, as only they start one. */
export async function cancel(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<void> {
  if (replays.isReplay(jobId)) return replays.cancel(deps, visit, jobId);
  await callApi(deps, visit, (client) => client.cancelJob(jobId));
}
