import { createHash } from 'node:crypto';
import { createRequestDeadline, findSettled, RequestBilling } from '@shopscope/charging';
import { enrichStores } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { Units } from '@shopscope/proto';
import {
  type BulkJob,
  enrichOperation,
  isEnding,
  type Refusal,
  scopesOfJob,
  stepChargeId,
  unitCount,
} from '../../domain/bulk-job.ts';
import { backoffMs, type LeasedStep } from '../../domain/job-step.ts';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';
import { exportStep, type StepCharge } from './export-step.ts';
import { dropStep, failExport, type HeldStep, refuseStep, StepLostError } from './refuse-steps.ts';
import { NotBilledError, resultRowsOf, showResults, storeResults } from './store-results.ts';

const timeoutMs = 10_000;

export type StepOutcome = 'shown' | 'refused' | 'dropped' | 'lost' | 'failed';

/**
 * Enriches or exports the stores of a step (decision 74). The order is the guarantee:
 *
 * 1. If results are stored, ask for the charge. An earlier execution has settled it -> show them. Otherwise no earlier attempt counts.
 * 2. Look up the stores, and claim scans. Of an export: read the rows.
 * 3. Reserve the units under the charge of the step.
 * 4. Store the results, hidden. Killed before -> nothing is billed. The reservation returns.
 * 5. The scan requests become durable, and then the usage event. Killed before the event -> nothing is billed.
 * 6. Show the results. Killed before -> step 1 of the next execution shows them. Look-ups may fail meanwhile.
 *
 * - An execution whose lease has ended changes nothing from step 4 on: its token is no longer valid.
 * - A dependency is unavailable -> the step and its job wait, and try again.
 * - The allowance is exhausted, or the key can no longer pay -> this step and the later ones get an error for each store. An export fails.
 */
export async function runStep<E extends Environment>(deps: Dependencies<E>, held: HeldStep<E>): Promise<StepOutcome> {
  try {
    return await tryStep(deps, held);
  } catch (error) {
    if (error instanceof StepLostError) return 'lost';
    await waitAfter(deps, held, error);
    return 'failed';
  }
}

async function tryStep<E extends Environment>(deps: Dependencies<E>, held: HeldStep<E>): Promise<StepOutcome> {
  const { ref, job, step } = held;
  const deadline = createRequestDeadline(deps.clock);
  const origin = { ...job.origin, environment: ref.environment };
  const found = await deps.payers.find(job, origin, deadline);
  const refusal = refusalOf(job, found);
  // Nobody sees the results of a workspace that does not exist.
  if (!found) return endUnbilled(deps, held, refusal ?? 'key_revoked');
  const charge = {
    caller: found.payer,
    origin,
    deadline,
    chargeId: stepChargeId(ref.environment, job.id, step.number),
    fingerprint: fingerprintOf(job, step),
    isPermanent: true as const,
  };
  // Step 1: the charge of stored results.
  const billed = step.state === 'stored' ? await findSettled(deps.charging, charge) : undefined;
  if (billed) return show(deps, held, billed);
  if (refusal !== null) return endUnbilled(deps, held, refusal);
  try {
    // Steps 2 to 5.
    const units = job.export ? await exportStep(deps, held, job.export, charge) : await enrichStep(deps, held, charge);
    return await show(deps, held, units);
  } catch (error) {
    if (error instanceof NotBilledError) return endUnbilled(deps, held, error.refusal);
    if (AppError.from(error).code !== 'payment_required') throw error;
    return endUnbilled(deps, held, 'allowance_exhausted');
  }
}

async function enrichStep<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  charge: StepCharge & { caller: FoundPayer['payer'] },
): Promise<Units> {
  const { ref, job, step } = held;
  const { billed } = await enrichStores(deps.charging, {
    ...charge,
    billing: new RequestBilling(),
    operation: enrichOperation,
    inputs: step.inputs.map(({ domain }) => domain),
    refresh: job.refresh,
    async beforeEvent({ results, units, attempt }, commit) {
      // Only an execution that holds the step settles its charge.
      if (attempt.isSettled) throw new StepLostError();
      const rows = resultRowsOf(results, step);
      const failed = rows.filter(({ match }) => match === 'error').length;
      await storeResults(deps, held, { units: unitCount(units), failed, part: null }, commit, (tx) =>
        deps.jobResults.replace(ref, step.number, rows, tx),
      );
    },
  });
  return billed;
}

/** Step 6. */
async function show<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  billed: Units,
): Promise<StepOutcome> {
  await showResults(deps, held, billed);
  return 'shown';
}

/** Why a job may not bill any more. */
function refusalOf(job: BulkJob, found: FoundPayer | undefined): Refusal | 'ending' | null {
  if (isEnding(job.state)) return 'ending';
  if (job.refusal !== null) return job.refusal;
  if (!found) return 'key_revoked';
  if (found.fault === null && !scopesOfJob(job).every((scope) => found.scopes.includes(scope))) return 'key_revoked';
  return found.fault;
}

async function endUnbilled<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  refusal: Refusal | 'ending',
): Promise<StepOutcome> {
  if (refusal === 'ending') {
    await dropStep(deps, held);
    return 'dropped';
  }
  if (held.job.type === 'export') await failExport(deps, held, refusal);
  else await refuseStep(deps, held, refusal);
  return 'refused';
}

/** A step has the same content in every execution. */
const fingerprintOf = ({ refresh }: BulkJob, { inputs, position }: LeasedStep): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(position ?? [refresh, inputs.map(({ domain }) => domain)]))
    .digest();

async function waitAfter<E extends Environment>(
  { jobSteps, bulkJobs, clock, logger }: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  error: unknown,
): Promise<void> {
  const pauseMs = backoffMs(step.failures);
  const { id: jobId, environment } = ref;
  logger.warn({ err: error, jobId, step: step.number, environment, pauseMs }, 'a step of a job failed; it is repeated');
  const nowMs = clock.now();
  await bulkJobs.delay(ref, new Date(nowMs + Math.min(pauseMs, maxJobPauseMs)), timeoutMs);
  await jobSteps.release(ref, step, new Date(nowMs + pauseMs), timeoutMs);
}

/** Other steps of the job may succeed earlier than the one that failed. */
const maxJobPauseMs = 30_000;
