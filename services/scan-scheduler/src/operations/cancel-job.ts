import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import { originFields } from '@shopscope/telemetry';
import { type Job, liveStates, refundOf } from '../domain/job.ts';
import type { Dependencies, JobDependencies, TestDependencies } from './dependencies.ts';
import { leaveScan } from './leave-scan.ts';

interface CancelJob {
  workspaceId: string;
  jobId: string;
  unlessNeeded?: boolean | undefined;
}

type CancelContext = Pick<CallContext, 'deadline' | 'origin'>;

/**
 * Cancels a job of the workspace, in one transaction.
 *
 * - queued -> canceled. The event that gives its unit back is written in the same transaction.
 * - requested -> canceled. A later scan request shows whether the job is billed. queueJobs then writes the event.
 * - running -> canceled. The job stays billed.
 * - `unlessNeeded`, and the job is running, or another charge has joined it -> unchanged.
 * - ended -> unchanged. A repeated call therefore changes nothing, and the unit of a job is given back once.
 * - The scan has other jobs -> they continue. No job is left -> the scan ends, and its scanner loses the lease. The domain is not visited
 *   before that lease would have expired, because a request may be in progress.
 * - The observation is durable -> it is merged nevertheless.
 * - Concurrency: the transaction writes to the scan, so a concurrent join does not leave a job without a scan. A lease or an end writes to
 *   the same job. One of the two transactions then runs again and reads the result of the other.
 */
export const cancelJob = (deps: Dependencies, input: CancelJob, context: CancelContext): Promise<Job> =>
  cancel(deps, input, context, (job, at, tx) => leaveScan(deps, job, at, tx));

/** As {@link cancelJob}. The job is the only one of its simulated scan. */
export const cancelTestJob = (deps: TestDependencies, input: CancelJob, context: CancelContext): Promise<Job> =>
  cancel(deps, input, context, ({ scanId: id, domain }, _, tx) =>
    deps.simulatedScans.deleteUnobserved([{ id, domain }], tx),
  );

async function cancel<E extends Environment>(
  deps: JobDependencies<E>,
  input: CancelJob,
  context: CancelContext,
  leave: (job: Job & { scanId: string }, at: Date, tx: Tx) => Promise<void>,
): Promise<Job> {
  const { workspaceId, jobId, unlessNeeded = false } = input;
  const { job, before } = await deps.transact(async (tx) => {
    const found = await deps.jobs.find(workspaceId, jobId, tx);
    if (!found) throw new AppError('not_found', 'The workspace has no such job.');
    const isKept = unlessNeeded && (found.state === 'running' || found.isJoined);
    if (isKept || !liveStates.includes(found.state)) return { job: found, before: undefined };
    const at = new Date(deps.clock.now());
    const refund = refundOf(found.state);
    const canceled = await deps.jobEnds.cancel(found, refund, at, tx);
    if (!canceled) throw new Error('the job changed within its transaction');
    if (refund === 'given') await deps.appendRefund(tx, canceled, context.origin);
    const { scanId } = canceled;
    if (scanId) await leave({ ...canceled, scanId }, at, tx);
    return { job: canceled, before: found.state };
  }, context);
  if (before) {
    deps.metrics.jobsEnded.inc({ state: 'canceled', code: '' });
    const { domain, refund, scanId } = job;
    deps.logger.info(
      { ...originFields(context.origin), scanId, jobId, workspaceId, domain, before, refund },
      'job canceled',
    );
  }
  return job;
}
