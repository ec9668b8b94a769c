import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import { shownCount } from '@shopscope/store-search';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { type BulkJob, type JobRef, unitCount } from '../../domain/bulk-job.ts';
import { type Export, exportOperation, maxKeptExports, requireExportSize } from '../../domain/export.ts';
import type { Dependencies } from '../dependencies.ts';
import { encodeLists, listedStores, requireLists } from './export-lists.ts';
import { requirePayer } from './require-payer.ts';
import {
  discardJob,
  findStartedOrRequirePlace,
  prepareJob,
  requireQuote,
  requireRequestToken,
  showJob,
} from './start-job.ts';

export interface NewExport extends Omit<Export, 'editionId'> {
  keyId: string;
  /** If it is empty, each call starts a job. */
  requestToken: string;
}

const field = 'where';

/**
 * Starts an export of the stores that match in the latest edition. The steps have this order:
 *
 * 1. Copy the stores of the lists, because the lists may change while the export runs.
 * 2. Count the stores, and check the bounds and the quote. A refusal reveals only what a count shows.
 * 3. Insert a job that no call sees, with its lists and its first step. This process is killed -> the timer deletes all of it.
 * 4. Check the number of jobs again, and show the job, in one transaction.
 *
 * An export runs also if no store matches. Otherwise a refusal would reveal for free that no store of a list matches, which a count hides.
 */
export async function startExport<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  request: NewExport,
  context: CallContext,
): Promise<BulkJob> {
  const { keyId, requestToken, ...asked } = request;
  const { query, maxRows, maxUnits } = asked;
  requireRequestToken(requestToken);
  const start = { requestToken, field };
  const earlier = await deps.transact((tx) => findOrRequirePlace(deps, tenant, start, tx), context);
  if (earlier) return earlier;
  const payer = await requirePayer(deps, tenant, keyId, context);
  // Step 1.
  const lists = await listedStores(deps, tenant, query, context);
  // Step 2.
  const { origin, deadline } = context;
  const stores = { query, context: { windowFrom: asked.windowFrom, lists }, workspaceId: tenant.workspaceId };
  const counted = await deps.storeSearch.count(stores, origin, deadline);
  const { total } = shownCount({ ...counted, facets: [] }, { hasList: query.where.list !== undefined });
  const units = requireExportSize({ query, maxRows, maxUnits }, total);
  await requireQuote(deps, payer, { units, operation: exportOperation }, context);
  // Step 3.
  const listIds = [...lists.keys()];
  const job = {
    type: 'export',
    listIds,
    export: { ...asked, editionId: counted.editionId },
    keyId,
    refresh: false,
    maxUnits: unitCount(units),
  } as const;
  const ref = await prepareJob(deps, tenant, job, context);
  try {
    if (lists.size > 0) await deps.jobParts.saveLists(ref, encodeLists(lists), deadline.timeoutMs());
    const first = { number: 0, position: { after: '', rowsBefore: 0 } };
    await deps.jobSteps.insertExportStep(ref, first, { maxTimeMS: deadline.timeoutMs() });
    // Step 4.
    const shown = { total: total.value, ...start };
    return await changeWorkspace(deps, tenant, context, (tx) => show(deps, ref, { ...shown, listIds }, tenant, tx));
  } catch (error) {
    await discardJob(deps, ref, context);
    throw error;
  }
}

async function findOrRequirePlace<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  start: { requestToken: string; field: string },
  tx: Tx,
): Promise<BulkJob | null> {
  const started = await findStartedOrRequirePlace(deps, tenant, start, tx);
  if (started) return started;
  const kept = await deps.bulkJobs.countExports(tenant, new Date(deps.clock.now()), maxKeptExports, tx);
  if (kept < maxKeptExports) return null;
  throw invalidField(field, `the workspace has ${maxKeptExports} exports; each is deleted 30 days after its end`);
}

async function show<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  { listIds, ...start }: { total: number; requestToken: string; field: string; listIds: readonly string[] },
  tenant: Tenant<E>,
  tx: Tx,
): Promise<BulkJob> {
  const { job, isNew } = await showJob(deps, ref, start, tenant, tx);
  if (isNew) await requireLists(deps, tenant, listIds, tx);
  return job;
}
