import { createDeadline, type Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import { type BulkJob, isEnding, type JobRef, type Refusal } from '../../domain/bulk-job.ts';
import { fairOrder } from '../../domain/fair-order.ts';
import { type LeasedStep, leaseMs } from '../../domain/job-step.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginEnd } from './end-job.ts';

/** Work that one execution holds: a step, or the waiting steps of a job that gets errors for its other stores. */
export type Taken<E extends Environment> = { ref: JobRef<E>; job: BulkJob } & (
  | { step: LeasedStep }
  | { step: null; refusal: Refusal }
);

/** The active jobs that have waited longest. Turns are fair among them. */
const maxCandidates = 500;
/** The jobs that one call examines. All steps of a job may be held by other executions. */
const maxExamined = 20;
const timeoutMs = 10_000;

/**
 * Takes the next step, so that workspaces take turns and the jobs of a workspace do, too. Returns undefined if there is none.
 *
 * Concurrency: a step is leased for 30 s. Another execution takes it over afterwards, with a new token. The old token is then invalid.
 */
export async function takeStep<E extends Environment>(deps: Dependencies<E>): Promise<Taken<E> | undefined> {
  const deadline = createDeadline(timeoutMs, { clock: deps.clock });
  const candidates = await deps.bulkJobs.listWaiting(new Date(deps.clock.now()), maxCandidates, deadline.timeoutMs());
  for (const { ref } of fairOrder(candidates).slice(0, maxExamined)) {
    const taken = await takeStepOf(deps, ref, deadline);
    if (taken) return taken;
  }
  return undefined;
}

async function takeStepOf<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  deadline: Deadline,
): Promise<Taken<E> | undefined> {
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const job = await deps.bulkJobs.takeTurn(ref, now, deadline.timeoutMs());
  if (!job) return undefined;
  if (job.state === 'running' && (await isListGone(deps, ref, job, deadline))) {
    await deps.transact((tx) => beginEnd(deps, ref, 'canceling', tx), { deadline });
    return undefined;
  }
  const onlyStored = isEnding(job.state) || job.refusal !== null;
  const lease = { token: newId('lse', nowMs), now, until: new Date(nowMs + leaseMs), onlyStored };
  const step = await deps.jobSteps.lease(ref, lease, deadline.timeoutMs());
  if (step) return { ref, job, step };
  if (job.refusal !== null && job.state === 'running') return { ref, job, step: null, refusal: job.refusal };
  return undefined;
}

/** A list may be deleted while a job over it starts. */
async function isListGone<E extends Environment>(
  deps: Dependencies<E>,
  { environment, workspaceId }: JobRef<E>,
  { listIds }: BulkJob,
  deadline: Deadline,
): Promise<boolean> {
  for (const id of listIds) {
    const list = { environment, workspaceId, id };
    if ((await deps.lists.find(list, { maxTimeMS: deadline.timeoutMs() })) === null) return true;
  }
  return false;
}
