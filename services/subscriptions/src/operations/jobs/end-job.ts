import { dayMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import {
  type BulkJob,
  type EndingState,
  endingOf,
  isEnding,
  type JobRef,
  jobFinishedEvent,
  jobRetentionDays,
} from '../../domain/bulk-job.ts';
import type { JobProgress } from '../../outbound/mongo/bulk-jobs.ts';
import { type AppendDependencies, appendEventsWithin } from '../append-events.ts';
import type { Dependencies } from '../dependencies.ts';

/** What the end of a job uses. */
export type EndDependencies<E extends Environment> = Omit<AppendDependencies<E>, 'transact'> &
  Pick<Dependencies<E>, 'bulkJobs'>;

/** Ends a job and appends its event, in one transaction. Returns null if the job has ended before. */
export async function endJob<E extends Environment>(
  deps: EndDependencies<E>,
  ref: JobRef<E>,
  end: Pick<BulkJob, 'state' | 'error'>,
  tx: Tx,
): Promise<BulkJob | null> {
  const nowMs = deps.clock.now();
  const expiresAt = new Date(nowMs + jobRetentionDays * dayMs);
  const job = await deps.bulkJobs.end(ref, { ...end, finishedAt: new Date(nowMs), expiresAt }, tx);
  if (!job) return null;
  const { environment, workspaceId } = ref;
  const event = jobFinishedEvent({ environment, workspaceId }, job);
  await appendEventsWithin(deps, tx, [{ event, origin: { ...job.origin, environment } }]);
  return job;
}

/**
 * Ends a job. Stored steps may be billed, so they ask for their charges first: the billed ones are shown, and the others are dropped.
 * Returns null if the job has ended, is ending already, or does not exist.
 */
export async function beginEnd<E extends Environment>(
  deps: EndDependencies<E>,
  ref: JobRef<E>,
  state: EndingState,
  tx: Tx,
): Promise<BulkJob | null> {
  const job = await deps.bulkJobs.beginEnd(ref, state, tx);
  return job && endUnlessStored(deps, ref, job, state, tx);
}

const endUnlessStored = async <E extends Environment>(
  deps: EndDependencies<E>,
  ref: JobRef<E>,
  job: BulkJob,
  state: EndingState,
  tx: Tx,
): Promise<BulkJob | null> => (job.stored.steps > 0 ? job : endJob(deps, ref, endingOf(job, state), tx));

/** Counts a step that has ended. The last step ends the job. Returns null if the job has ended before. */
export async function addProgress<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  progress: JobProgress,
  tx: Tx,
): Promise<BulkJob | null> {
  const job = await deps.bulkJobs.addProgress(ref, progress, new Date(deps.clock.now()), tx);
  if (!job) return null;
  // The total of an export is exact from its last step on.
  const isComplete = job.type === 'export' ? progress.total !== undefined : job.done === job.total;
  // A job that has all its results has not failed.
  const state = job.state === 'failing' && isComplete ? 'running' : job.state;
  if (isEnding(state)) return endUnlessStored(deps, ref, job, state, tx);
  return isComplete ? endJob(deps, ref, { state: 'succeeded', error: null }, tx) : job;
}
