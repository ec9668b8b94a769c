import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { type BulkJob, enrichOperation, type JobRef, requireJobSize, unitCount } from '../../domain/bulk-job.ts';
import { maxStepSize } from '../../domain/job-step.ts';
import type { Member } from '../../domain/member.ts';
import type { Dependencies } from '../dependencies.ts';
import { findGroup, noSuch, refOf } from '../find-group.ts';
import { listsOf } from '../group-kinds.ts';
import { countList } from './count-list.ts';
import { endJob } from './end-job.ts';
import { requirePayer } from './require-payer.ts';
import {
  discardJob,
  findStartedOrRequirePlace,
  prepareJob,
  requireQuote,
  requireRequestToken,
  showJob,
} from './start-job.ts';

export interface ListEnrich {
  listId: string;
  keyId: string;
  refresh: boolean;
  /** Undefined if there is no bound. */
  maxUnits: number | undefined;
  /** If it is empty, each call starts a job. */
  requestToken: string;
}

const field = 'list_id';

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
  const { listId, keyId, refresh, requestToken, maxUnits } = request;
  requireRequestToken(requestToken);
  const list = await findGroup(listsOf(deps), tenant, listId, context);
  const start = { requestToken, field };
  const earlier = await deps.transact((tx) => findStartedOrRequirePlace(deps, tenant, start, tx), context);
  if (earlier) return earlier;
  requireJobSize(list);
  const payer = await requirePayer(deps, tenant, keyId, context);
  // Step 1.
  const job = { type: 'enrich', listIds: [listId], export: null, keyId, refresh, maxUnits: maxUnits ?? null } as const;
  const ref = await prepareJob(deps, tenant, job, context);
  try {
    // Step 2.
    const insertSteps = stepWriter(deps, ref, Math.min(maxStepSize, payer.plan.enrichBatchMax), context);
    const { freshnessDays } = payer.plan;
    const listRef = refOf(listsOf(deps), tenant, listId);
    const { units, total } = await countList(deps, listRef, { refresh, freshnessDays }, context, insertSteps);
    // Step 3.
    const needed = unitCount(units);
    if (maxUnits !== undefined && needed > maxUnits) {
      throw invalidField('max_units', `the job would bill ${needed} ${needed === 1 ? 'unit' : 'units'}`);
    }
    await requireQuote(deps, payer, { units, operation: enrichOperation }, context);
    // Step 4.
    return await changeWorkspace(deps, tenant, context, (tx) => show(deps, ref, { ...request, total }, tenant, tx));
  } catch (error) {
    await discardJob(deps, ref, context);
    throw error;
  }
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

async function show<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  { listId, requestToken, total }: ListEnrich & { total: number },
  tenant: Tenant<E>,
  tx: Tx,
): Promise<BulkJob> {
  const { job, isNew } = await showJob(deps, ref, { total, requestToken, field }, tenant, tx);
  if (!isNew) return job;
  if (!(await deps.lists.find(refOf(listsOf(deps), tenant, listId), tx))) throw noSuch(listsOf(deps));
  return total > 0 ? job : ((await endJob(deps, ref, { state: 'succeeded', error: null }, tx)) ?? job);
}
