import { AppError, invalidField } from '@shopscope/errors';
import { quoted } from '../../http/input/sanitized-input.ts';
import type { ScanSchedulerClient } from '../../scans/scheduler-client.ts';
import type { CallerRequest } from '../caller-request.ts';
import type { CursorSigner } from '../cursor.ts';
import { jobBodyOf, jobResultsOf, protoStatesOf } from './job-body.ts';

export type JobBody = ReturnType<typeof jobBodyOf>;

export interface ListJobsQuery {
  state?: JobBody['state'] | undefined;
  type?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export type JobRequest = CallerRequest & { jobId: string };
export type Jobs = ReturnType<typeof createJobs>;

const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

/**
 * The jobs of the caller's workspace. scan-scheduler stores a job before the response that has its id, so every such id is found at once.
 *
 * - The id is of another workspace, unknown, or older than the retention -> 404.
 * - Pages: by creation time, newest first, then by id. Both never change. A cursor belongs to the workspace and the filters.
 */
export function createJobs(options: {
  scheduler: Pick<ScanSchedulerClient, 'getJob' | 'listJobs' | 'cancelJob'>;
  cursors: CursorSigner;
}) {
  const { scheduler, cursors } = options;
  const find = async ({ caller, jobId, origin, deadline }: JobRequest) => {
    const job = await scheduler.getJob({ workspaceId: caller.workspaceId, jobId }, origin, deadline);
    if (!job) throw noSuchJob();
    return job;
  };

  return {
    get: async (request: JobRequest): Promise<JobBody> => jobBodyOf(await find(request)),

    async list(query: ListJobsQuery, { caller, origin, deadline }: CallerRequest): Promise<Page<JobBody>> {
      const { state, type, cursor, limit } = query;
      const { workspaceId } = caller;
      const bound = ['jobs', workspaceId, state ?? '', type ?? ''];
      const after = cursor === undefined ? undefined : positionOf(cursors.verify(bound, cursor));
      // Jobs of other types come with a later release.
      if (type !== undefined && type !== 'scan') return { data: [], next_cursor: null };
      const states = state === undefined ? [] : protoStatesOf(state);
      const { jobs, hasMore } = await scheduler.listJobs({ workspaceId, states, limit, after }, origin, deadline);
      const last = jobs.at(-1);
      return {
        data: jobs.map(jobBodyOf),
        next_cursor: hasMore && last ? cursors.sign(bound, `${last.createdAtMs} ${last.id}`) : null,
      };
    },

    /** A scan has at most one result, so no page has a cursor. */
    async results(request: JobRequest, { cursor }: { cursor?: string | undefined }): Promise<Page<object>> {
      const job = await find(request);
      if (cursor !== undefined) {
        throw invalidField('cursor', `must be the next_cursor of a page of this query, not ${quoted(cursor)}`);
      }
      return { data: jobResultsOf(job), next_cursor: null };
    },

    async cancel({ caller, jobId, origin, deadline }: JobRequest): Promise<JobBody> {
      const { workspaceId } = caller;
      const canceled = await scheduler.cancelJob({ workspaceId, jobId }, origin, deadline);
      if (!canceled) throw noSuchJob();
      return jobBodyOf(canceled);
    },
  };
}

function positionOf(position: string) {
  const [createdAtMs = '', jobId = ''] = position.split(' ');
  return { createdAtMs: Number(createdAtMs), jobId };
}
