import { createDeadline, type Deadline } from '@shopscope/async';
import { createRequestDeadline } from '@shopscope/charging';
import type { Environment, Tenant } from '@shopscope/environment';
import { newId, newTraceparent } from '@shopscope/ids';
import type { Origin } from '@shopscope/telemetry';
import { type Execution, endOfUnbilled, executionMs, type Rescan } from '../../domain/rescan.ts';
import type { Dependencies } from '../dependencies.ts';
import { endRescan, executeRescan } from './execute-rescan.ts';
import { findRescanPayer } from './find-rescan-payer.ts';
import { finishRescans } from './finish-rescans.ts';
import { startRescans } from './start-rescans.ts';
import { withdrawRescan } from './withdraw-rescan.ts';

/** The turns of one visit. Then the other workspaces have theirs. */
const maxTurns = 20;
const maxUnfinished = 20;
const maxWithdrawn = 50;
const maxWatchlists = 20;
/** The rescans of a visit that are requested at the same time. */
const maxConcurrent = 10;
const databaseTimeoutMs = 10_000;

/**
 * Does the work of rescans that a workspace has now, at most {@link maxTurns} turns:
 *
 * 1. Take up executions that have not ended in time.
 * 2. Take the turns of watchlists that are due.
 * 3. Request and charge these rescans, and save the results.
 * 4. Cancel the scans of withdrawn rescans.
 * 5. Save when the workspace needs the next visit.
 *
 * - The process is killed, or a step fails -> another visit begins when this one would have ended.
 * - Concurrency: two visits of one workspace do nothing twice, because each step takes its work by a conditional write.
 */
export async function visitWorkspace<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  visit: string,
  abort: AbortSignal,
): Promise<void> {
  const { clock, rescans, environment } = deps;
  const origin: Origin = { requestId: newId('req', clock.now()), traceparent: newTraceparent(), environment };
  const newDeadline = () => createDeadline(databaseTimeoutMs, { clock });
  const now = new Date(clock.now());
  // Step 1: executions that have not ended.
  const until = new Date(now.getTime() + executionMs);
  const work = await rescans.takeUnfinished(tenant, now, until, maxUnfinished, databaseTimeoutMs);
  // Step 2: the turns.
  const due = await deps.watchlistRescans.due(tenant, now, maxWatchlists, databaseTimeoutMs);
  let turnsLeft = maxTurns;
  let failure: unknown;
  for (const { id: watchlistId, keyId } of due) {
    if (turnsLeft === 0 || abort.aborted) break;
    const deadline = newDeadline();
    try {
      const payer = await findRescanPayer(deps, { ...tenant, keyId }, origin, deadline);
      const start = { tenant, watchlistId, keyId, payer, limit: turnsLeft, origin, deadline };
      const started = await startRescans(deps, start);
      turnsLeft -= started.length;
      work.push(...started);
    } catch (error) {
      // The rescans of the other watchlists continue.
      failure ??= error;
    }
  }
  // Step 3: the rescans.
  const finish = async (executions: readonly Execution[]) => {
    for (const [watchlistId, ended] of Map.groupBy(executions, ({ rescan }) => rescan.watchlistId)) {
      await finishRescans(deps, tenant, watchlistId, ended, { origin, deadline: newDeadline() });
    }
  };
  const execute = async (rescan: Rescan): Promise<Execution> => {
    if (abort.aborted) return { rescan, outcome: 'failed' };
    const deadline = createRequestDeadline(clock);
    return executeIfPayable(deps, rescan, origin, deadline);
  };
  await finish(await concurrently(work, execute));
  // Step 4: the withdrawn rescans.
  const withdrawn = await rescans.listWithdrawn(tenant, new Date(clock.now()), maxWithdrawn, databaseTimeoutMs);
  await finish(await concurrently(withdrawn, (rescan) => withdrawRescan(deps, rescan, newDeadline())));
  if (failure !== undefined) throw failure;
  // Step 5: the next visit. The transaction conflicts with changes of watchlists, so that none of them is missed.
  await deps.transact(
    async (tx) => {
      const endedAt = new Date(clock.now());
      const times = [await deps.watchlistRescans.nextWake(tenant, tx), ...(await rescans.nextWork(tenant, tx))];
      const dueAt = times.flatMap((time) => time ?? []).toSorted((a, b) => +a - +b)[0];
      await deps.rescanQueue.endVisit(tenant, visit, dueAt ?? null, endedAt, tx);
    },
    { deadline: newDeadline() },
  );
}

async function executeIfPayable<E extends Environment>(
  deps: Dependencies<E>,
  rescan: Rescan,
  origin: Origin,
  deadline: Deadline,
): Promise<Execution> {
  const { workspaceId, keyId, jobId } = rescan;
  const ended = endOfUnbilled(rescan, new Date(deps.clock.now()));
  if (ended && jobId === null) return { rescan, outcome: ended };
  const payer = await findRescanPayer(deps, { workspaceId, keyId }, origin, deadline).catch((error: unknown) => {
    deps.logger.warn({ err: error, workspaceId, keyId }, 'the key of a rescan could not be read; it is repeated');
    return undefined;
  });
  if (payer?.kind === 'key_revoked') return { rescan, outcome: jobId === null ? 'canceled' : 'abandoned' };
  if (payer?.kind !== 'able') return { rescan, outcome: 'failed' };
  if (ended && jobId !== null) return endRescan(deps, { ...rescan, jobId }, ended, payer.payer, deadline);
  return executeRescan(deps, rescan, payer.payer, deadline);
}

async function concurrently(
  rescans: readonly Rescan[],
  run: (rescan: Rescan) => Promise<Execution>,
): Promise<Execution[]> {
  const waiting = [...rescans];
  const executions: Execution[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) executions.push(await run(next));
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  return executions;
}
