import type { Deadline } from '@shopscope/async';
import type { EnrichResult, UnbilledResults } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import type { Units } from '@shopscope/proto';
import { type Refusal, unitCount } from '../../domain/bulk-job.ts';
import type { JobResult, JobStep } from '../../domain/job-step.ts';
import type { Dependencies } from '../dependencies.ts';
import { addProgress } from './end-job.ts';
import { type HeldStep, StepLostError, storedBy } from './refuse-steps.ts';

/** The results of a step are not billed. */
export class NotBilledError extends Error {
  readonly refusal: Refusal | 'ending';

  constructor(refusal: Refusal | 'ending') {
    super(`The step is not billed: ${refusal}`);
    this.name = 'NotBilledError';
    this.refusal = refusal;
  }
}

/** Stores the results of a step, hidden, in place of those of an earlier attempt. Throws if they may not be billed. */
export async function storeResults<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  { results, units }: UnbilledResults,
  deadline: Deadline,
): Promise<void> {
  const rows = results.map((result, index) => rowOf(result, step.inputs[index] as JobStep['inputs'][number]));
  const failed = rows.filter(({ match }) => match === 'error').length;
  const count = unitCount(units);
  await deps.transact(
    async (tx) => {
      if (!(await deps.jobSteps.setStored(ref, step, { units: count, failed }, tx))) throw new StepLostError();
      const before = storedBy(step);
      const added = { steps: 1 - before.steps, units: count - before.units };
      // A cancellation changes the same document, so it sees this step, or this step sees the cancellation.
      const job = await deps.bulkJobs.addStored(ref, added, tx);
      if (!job) throw new NotBilledError('ending');
      if (job.maxUnits !== null && unitCount(job.billed) + job.stored.units > job.maxUnits) {
        throw new NotBilledError('max_units_reached');
      }
      await deps.jobResults.replace(ref, step.number, rows, tx);
    },
    { deadline },
  );
}

function rowOf({ match, reason, scanJobId, store }: EnrichResult, input: JobStep['inputs'][number]): JobResult {
  return {
    ...input,
    match,
    // The domain of a list was valid when the store was added.
    reason: reason === 'invalid_domain' ? 'internal' : reason,
    scanJobId: scanJobId ?? null,
    store: store ?? null,
  };
}

/** Shows the stored results, which bill these units. */
export async function showResults<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  { lookupCached, lookupLive }: Units,
): Promise<void> {
  await deps.transact(async (tx) => {
    const stored = await deps.jobSteps.show(ref, step, tx);
    if (!stored) throw new StepLostError();
    const progress = {
      done: stored.inputs.length,
      failed: stored.failed,
      billed: { lookupCached, lookupLive },
      stored: { steps: -1, units: -stored.units },
    };
    if (!(await addProgress(deps, ref, progress, tx))) throw new StepLostError();
  });
}
