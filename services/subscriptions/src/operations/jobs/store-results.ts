import type { Deadline } from '@shopscope/async';
import type { EnrichResult } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
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

/**
 * Notes that the results of a step are stored, hidden, in place of those of an earlier attempt. `save` stores them in the same transaction.
 * Throws if they may not be billed.
 */
export async function storeResults<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  results: Pick<JobStep, 'units' | 'failed' | 'part'>,
  deadline: Deadline,
  save: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await deps.transact(
    async (tx) => {
      if (!(await deps.jobSteps.setStored(ref, step, results, tx))) throw new StepLostError();
      const before = storedBy(step);
      const added = { steps: 1 - before.steps, units: results.units - before.units };
      // A cancellation changes the same document, so it sees this step, or this step sees the cancellation.
      const job = await deps.bulkJobs.addStored(ref, added, tx);
      if (!job) throw new NotBilledError('ending');
      if (job.maxUnits !== null && unitCount(job.billed) + job.stored.units > job.maxUnits) {
        throw new NotBilledError('max_units_reached');
      }
      await save(tx);
    },
    { deadline },
  );
}

export const resultRowsOf = (results: readonly EnrichResult[], { inputs }: JobStep): JobResult[] =>
  results.map((result, index) => rowOf(result, inputs[index] as JobStep['inputs'][number]));

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

/** Shows the stored results, which bill these units. An export gets its next step. */
export async function showResults<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  { lookupCached, lookupLive, historyQuery }: Units,
): Promise<void> {
  const billed = { lookupCached, lookupLive, historyQuery };
  await deps.transact(async (tx) => {
    const stored = await deps.jobSteps.show(ref, step, tx);
    if (!stored) throw new StepLostError();
    const progress = { ...progressOf(stored), billed, stored: { steps: -1, units: -stored.units } };
    const next = nextStepOf(stored);
    if (next) await deps.jobSteps.insertExportStep(ref, next, tx);
    if (!(await addProgress(deps, ref, progress, tx))) throw new StepLostError();
  });
}

function progressOf({ inputs, failed, position, part }: JobStep) {
  if (!position || !part) return { done: inputs.length, failed };
  const { rows, next } = part;
  // Stores that are gone have no row, so the last step shows the total.
  return { done: rows, failed, ...(next === '' && { total: position.rowsBefore + rows }) };
}

function nextStepOf({ number, position, part }: JobStep) {
  if (!position || !part || part.next === '') return undefined;
  return { number: number + 1, position: { after: part.next, rowsBefore: position.rowsBefore + part.rows } };
}
