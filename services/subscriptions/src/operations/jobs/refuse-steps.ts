import type { Environment } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { BulkJob, JobRef, Refusal } from '../../domain/bulk-job.ts';
import type { LeasedStep } from '../../domain/job-step.ts';
import type { Dependencies } from '../dependencies.ts';
import { addProgress, beginEnd } from './end-job.ts';

/** A step that this execution holds, with its job. */
export interface HeldStep<E extends Environment> {
  ref: JobRef<E>;
  job: BulkJob;
  step: LeasedStep;
}

/** Another execution holds the step, or its job has ended. This execution changes nothing. */
export class StepLostError extends Error {
  constructor() {
    super('Another execution holds the step');
    this.name = 'StepLostError';
  }
}

const timeoutMs = 10_000;
const nothingBilled = { lookupCached: 0, lookupLive: 0, historyQuery: 0 };

/** What the step adds to the stored steps of its job. */
export const storedBy = ({ state, units }: LeasedStep) =>
  state === 'stored' ? { steps: 1, units } : { steps: 0, units: 0 };

/** Ends a step with an error for each store. The later steps of the job get the same error. Nothing of it is billed. */
export async function refuseStep<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  refusal: Refusal,
): Promise<void> {
  await deps.bulkJobs.refuse(ref, refusal, { maxTimeMS: timeoutMs });
  const { steps, units } = storedBy(step);
  const count = step.inputs.length;
  const progress = { done: count, failed: count, billed: nothingBilled, stored: { steps: -steps, units: -units } };
  await deps.transact(async (tx) => {
    if (!(await deps.jobSteps.refuseHeld(ref, step, refusal, tx))) throw new StepLostError();
    await deps.jobResults.remove(ref, [step.number], tx);
    if (!(await addProgress(deps, ref, progress, tx))) throw new StepLostError();
  });
}

/** The steps that one transaction ends. */
const maxSteps = 500;

/** Ends waiting steps of a job with an error for each store. Returns false if there was none. */
export async function refuseWaiting<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  refusal: Refusal,
): Promise<boolean> {
  return deps.transact(async (tx) => {
    const waiting = await deps.jobSteps.listWaiting(ref, maxSteps, tx);
    if (waiting.length === 0) return false;
    const numbers = waiting.map(({ number }) => number);
    await deps.jobSteps.refuse(ref, numbers, refusal, tx);
    const count = waiting.reduce((sum, { size }) => sum + size, 0);
    const progress = { done: count, failed: count, billed: nothingBilled, stored: { steps: 0, units: 0 } };
    if (!(await addProgress(deps, ref, progress, tx))) throw new StepLostError();
    return true;
  });
}

/** Ends a step of a job that ends, without results. Nothing of it is billed. */
export const dropStep = <E extends Environment>(deps: Dependencies<E>, held: HeldStep<E>): Promise<void> =>
  deps.transact((tx) => dropStored(deps, held, tx));

/** Ends an export with what is done. Nothing of the step is billed. */
export async function failExport<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  refusal: Refusal,
): Promise<void> {
  await deps.transact(async (tx) => {
    await deps.bulkJobs.refuse(held.ref, refusal, tx);
    await dropStored(deps, held, tx);
    await beginEnd(deps, held.ref, 'failing', tx);
  });
}

async function dropStored<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  tx: Tx,
): Promise<void> {
  // A step without stored results is not among those that the job waits for.
  if (step.state !== 'stored') return;
  const progress = { done: 0, failed: 0, billed: nothingBilled, stored: { steps: -1, units: -step.units } };
  if (!(await deps.jobSteps.drop(ref, step, tx))) throw new StepLostError();
  await deps.jobResults.remove(ref, [step.number], tx);
  if (!(await addProgress(deps, ref, progress, tx))) throw new StepLostError();
}
