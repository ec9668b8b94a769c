import { noFingerprint, requireUnits } from '@shopscope/charging';
import { dayMs, minuteMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isIdentifier, newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { Units } from '@shopscope/proto';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import {
  type BulkJob,
  enrichOperation,
  type JobRef,
  newJobId,
  requireJobPlace,
  requireJobSize,
  unitCount,
} from '../../domain/bulk-job.ts';
import { maxStepSize } from '../../domain/job-step.ts';
import type { Member } from '../../domain/member.ts';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';
import { findGroup, noSuch, refOf } from '../find-group.ts';
import { listsOf } from '../group-kinds.ts';
import { countList } from './count-list.ts';
import { endJob } from './end-job.ts';
import { requirePayer } from './require-payer.ts';

export interface ListEnrich {
  listId: string;
  keyId: string;
  refresh: boolean;
  /** Undefined if there is no bound. */
  maxUnits: number | undefined;
  /** If it is empty, each call starts a job. */
  requestToken: string;
}

const requestTokenLifeMs = dayMs;
/** A call ends long before. A job whose call was killed is deleted then. */
const preparationMs = 10 * minuteMs;

/**
 * Starts a job over the stores that the list has now. The steps have this order:
 *
 * 1. Check the number of unfinished jobs, and insert a job that no call sees. Killed -> the timer deletes it and its steps.
 * 2. Copy the stores of a snapshot of the list into steps, in batches, and count them. The list may change meanwhile.
 * 3. Check the quote.
 * 4. Check the number of unfinished jobs again, and show the job, in one transaction.
 */
export async function startListEnrich<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  request: ListEnrich,
  context: CallContext,
): Promise<BulkJob> {
  const { listId, keyId, refresh, requestToken } = request;
  if (requestToken && !isIdentifier(requestToken)) throw invalidField('request_token', 'must be an identifier');
  const list = await findGroup(listsOf(deps), tenant, listId, context);
  const earlier = await deps.transact((tx) => findStartedOrRequirePlace(deps, tenant, requestToken, tx), context);
  if (earlier) return earlier;
  requireJobSize(list);
  const payer = await requirePayer(deps, tenant, keyId, context);
  // Step 1.
  const ref = await prepare(deps, tenant, request, context);
  try {
    // Step 2.
    const insertSteps = stepWriter(deps, ref, Math.min(maxStepSize, payer.plan.enrichBatchMax), context);
    const { freshnessDays } = payer.plan;
    const listRef = refOf(listsOf(deps), tenant, listId);
    const { units, total } = await countList(deps, listRef, { refresh, freshnessDays }, context, insertSteps);
    // Step 3.
    await checkQuote(deps, payer, { units, maxUnits: request.maxUnits }, context);
    // Step 4.
    return await changeWorkspace(deps, tenant, context, (tx) => show(deps, ref, { ...request, total }, tenant, tx));
  } catch (error) {
    // The timer deletes what is left.
    await deps.bulkJobs.discard(ref, new Date(deps.clock.now()), context.deadline.timeoutMs()).catch(() => {});
    throw error;
  }
}

/** Returns the job that an earlier call with the token has started. Without one, throws if the workspace may not start a job. */
async function findStartedOrRequirePlace<E extends Environment>(
  { bulkJobs, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  requestToken: string,
  tx: Tx,
): Promise<BulkJob | null> {
  const since = new Date(clock.now() - requestTokenLifeMs);
  const started = requestToken ? await bulkJobs.findStarted(tenant, requestToken, since, tx) : null;
  if (!started) requireJobPlace(await bulkJobs.countActive(tenant, tx));
  return started;
}

async function prepare<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, keyId, refresh, maxUnits = null }: Omit<ListEnrich, 'maxUnits'> & { maxUnits?: number | null | undefined },
  context: CallContext,
): Promise<JobRef<E>> {
  const { workspaceId, environment } = tenant;
  const nowMs = deps.clock.now();
  const createdAt = new Date(nowMs);
  const { requestId, traceparent } = context.origin;
  const job: BulkJob = {
    id: newJobId(nowMs),
    workspaceId,
    type: 'enrich',
    listId,
    keyId,
    refresh,
    maxUnits,
    state: 'preparing',
    total: 0,
    done: 0,
    failed: 0,
    billed: { lookupCached: 0, lookupLive: 0 },
    stored: { steps: 0, units: 0 },
    refusal: null,
    error: null,
    createdAt,
    startedAt: null,
    finishedAt: null,
    expiresAt: new Date(nowMs + preparationMs),
    progressAt: createdAt,
    origin: { requestId, traceparent },
  };
  await changeWorkspace(deps, tenant, context, (tx) => deps.bulkJobs.insert(job, tenant, tx));
  return { environment, workspaceId, id: job.id };
}

/** Returns a function that writes batches of stores as steps. Every batch but the last one fills its steps. */
function stepWriter<E extends Environment>(
  { jobSteps }: Dependencies<E>,
  ref: JobRef<E>,
  stepSize: number,
  { deadline }: CallContext,
) {
  let next = 0;
  return async (members: readonly Member[]) => {
    const steps = [];
    for (let start = 0; start < members.length; start += stepSize) {
      const inputs = members.slice(start, start + stepSize).map(({ domain, externalId }) => ({ domain, externalId }));
      steps.push({ number: next++, inputs });
    }
    await jobSteps.insert(ref, steps, deadline.timeoutMs());
  };
}

/**
 * Throws if the units are more than the caller allows, or more than the allowance has left. Units that are lent to a gateway return soon ->
 * `unavailable`.
 */
async function checkQuote<E extends Environment>(
  { charging }: Dependencies<E>,
  caller: FoundPayer['payer'],
  { units, maxUnits }: { units: Units; maxUnits: number | undefined },
  { origin, deadline }: CallContext,
): Promise<void> {
  const needed = unitCount(units);
  if (maxUnits !== undefined && needed > maxUnits) {
    throw invalidField('max_units', `the job would bill ${needed} ${needed === 1 ? 'unit' : 'units'}`);
  }
  const charge = { chargeId: newId('chg'), fingerprint: noFingerprint, units, operation: enrichOperation };
  await requireUnits(charging, { ...charge, caller, origin, deadline });
}

async function show<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  { listId, requestToken, total }: ListEnrich & { total: number },
  tenant: Tenant<E>,
  tx: Tx,
): Promise<BulkJob> {
  const earlier = await findStartedOrRequirePlace(deps, tenant, requestToken, tx);
  if (earlier) {
    await deps.bulkJobs.discard(ref, new Date(deps.clock.now()), tx);
    return earlier;
  }
  if (!(await deps.lists.find(refOf(listsOf(deps), tenant, listId), tx))) throw noSuch(listsOf(deps));
  const job = await deps.bulkJobs.start(ref, total, requestToken, tx);
  if (!job) throw new Error(`the job ${ref.id} was deleted while it was prepared`);
  return total > 0 ? job : ((await endJob(deps, ref, { state: 'succeeded', error: null }, tx)) ?? job);
}
