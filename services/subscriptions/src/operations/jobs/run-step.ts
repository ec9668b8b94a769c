import { createHash } from 'node:crypto';
import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { enrichStores } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type BulkJob, type Refusal, stepChargeId } from '../../domain/bulk-job.ts';
import { backoffMs, type LeasedStep } from '../../domain/job-step.ts';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';
import { dropStep, type HeldStep, refuseStep, StepLostError } from './refuse-steps.ts';
import { NotBilledError, showResults, storeResults } from './store-results.ts';

/** The id of the operation that started the job, for the ledger. */
const operation = 'enrichList';
const timeoutMs = 10_000;

export type StepOutcome = 'shown' | 'refused' | 'dropped' | 'lost' | 'failed';

/**
 * Enriches the stores of a step (decision 74). The order is the guarantee:
 *
 * 1. Look up the stores, and claim scans.
 * 2. Reserve the units under the charge of the step.
 * 3. Store the results, hidden. Killed before -> nothing is billed. The reservation returns.
 * 4. The scan requests become durable, and then the usage event. Killed before the event -> nothing is billed.
 * 5. Show the results. Killed before -> the next execution finds the charge settled, and shows the stored results.
 *
 * - An execution whose lease has ended changes nothing from step 3 on: its token is no longer valid.
 * - A dependency is unavailable -> the step and its job wait, and try again.
 * - The allowance is exhausted, or the key can no longer pay -> this step and the later ones get an error for each store.
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
  // Stored results may be billed. Only their charge tells.
  if (!found || (refusal !== null && step.state === 'waiting'))
    return endUnbilled(deps, held, refusal ?? 'key_revoked');
  try {
    const enriched = await enrichStores(deps.charging, {
      caller: found.payer,
      origin,
      deadline,
      billing: new RequestBilling(),
      operation,
      chargeId: stepChargeId(ref.environment, job.id, step.number),
      fingerprint: fingerprintOf(job, step),
      isPermanent: true,
      inputs: step.inputs.map(({ domain }) => domain),
      refresh: job.refresh,
      async beforeEvent(unbilled, commit) {
        // The execution that settled the charge has stored what was billed.
        if (unbilled.attempt.isSettled) return;
        if (refusal !== null) throw new NotBilledError(refusal);
        await storeResults(deps, held, unbilled, commit);
      },
    });
    await showResults(deps, held, enriched.billed);
    return 'shown';
  } catch (error) {
    if (error instanceof NotBilledError) return endUnbilled(deps, held, error.refusal);
    if (AppError.from(error).code !== 'payment_required') throw error;
    return endUnbilled(deps, held, job.state === 'canceling' ? 'canceled' : 'allowance_exhausted');
  }
}

/** Why a job may not bill any more. */
function refusalOf(job: BulkJob, found: FoundPayer | undefined): Refusal | 'canceled' | null {
  if (job.state === 'canceling') return 'canceled';
  if (job.refusal !== null) return job.refusal;
  if (!found) return 'key_revoked';
  const scopes = ['read:stores', 'read:watchlists', ...(job.refresh ? ['write:scans'] : [])];
  if (found.fault === null && !scopes.every((scope) => found.scopes.includes(scope))) return 'key_revoked';
  return found.fault;
}

async function endUnbilled<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  refusal: Refusal | 'canceled',
): Promise<StepOutcome> {
  if (refusal === 'canceled') {
    await dropStep(deps, held);
    return 'dropped';
  }
  await refuseStep(deps, held, refusal);
  return 'refused';
}

/** A step has the same content in every execution. */
const fingerprintOf = ({ refresh }: BulkJob, { inputs }: LeasedStep): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([refresh, inputs.map(({ domain }) => domain)]))
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
