import type { Deadline } from '@shopscope/async';
import { dayMs, minuteMs } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import { workspacesOf } from '../domain/charge.ts';
import { inGeneration, workspaceOf } from '../domain/generation.ts';
import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies, TestDependencies } from './dependencies.ts';

/** MongoDB ends a transaction within 74 s, and clocks differ by less than the rest. Nothing is written to a generation of this age. */
const settlesAfterMs = 3 * minuteMs;
/** All data of a deleted workspace is deleted long before. */
const forgottenAfterMs = dayMs;
const maxGenerationsPerRun = 20;
const maxBatchSize = 1_000;
/** The number of documents per run. The next run continues. */
const maxDeletedPerRun = 20_000;
const timeoutMs = 10_000;

/**
 * Resolves to the entries within the current generations of their workspaces (domain/generation.ts). In the live environment they are
 * returned as they are, and nothing is read.
 */
export async function inCurrentGeneration<Named extends { workspaceId: string; chargeId?: string }>(
  { generations }: Pick<Dependencies, 'generations'>,
  all: readonly Named[],
  deadline: Deadline,
): Promise<readonly Named[]> {
  if (!generations) return all;
  const current = await generations.current(workspacesOf(all), { maxTimeMS: deadline.timeoutMs() });
  return all.map((named) => {
    const generation = current.get(named.workspaceId) ?? 0;
    const workspaceId = inGeneration(named.workspaceId, generation);
    const { chargeId } = named;
    if (chargeId === undefined) return { ...named, workspaceId };
    return { ...named, workspaceId, chargeId: inGeneration(chargeId, generation) };
  });
}

/** Resolves to the owner of the current generation of one workspace. */
export async function currentOwner(
  deps: Pick<Dependencies, 'generations'>,
  workspaceId: string,
  deadline: Deadline,
): Promise<string> {
  const [owner] = await inCurrentGeneration(deps, [{ workspaceId }], deadline);
  return owner?.workspaceId ?? workspaceId;
}

/**
 * Resolves to the periods without those of ended generations, whose documents are deleted one after the other. It reads in the transaction
 * that uses the periods: a transaction ends before the data of a generation that ends during it is deleted.
 */
export async function ofCurrentGenerations<Period extends PeriodOf>(
  { generations }: Pick<Dependencies, 'generations'>,
  periods: readonly Period[],
  tx: Tx,
): Promise<readonly Period[]> {
  if (!generations) return periods;
  const workspaceIds = [...new Set(periods.map(({ workspaceId }) => workspaceOf(workspaceId)))];
  const current = await generations.current(workspaceIds, tx);
  const owners = workspaceIds.map((id) => inGeneration(id, current.get(id) ?? 0));
  // The last generation of a deleted workspace has ended, and no other one begins.
  const ended = await generations.endedAmong(owners, tx);
  return periods.filter(({ workspaceId }) => owners.includes(workspaceId) && !ended.has(workspaceId));
}

/**
 * Begins a new generation of the workspace, which has neither usage nor an adjustment of an allowance.
 *
 * - A call is under way -> it ends in the generation in which it began.
 * - A usage event of the ended generation arrives later -> the new generation has no record of its charge, and the event changes nothing.
 * - The current generation is empty -> the call changes nothing. So repeated calls leave nothing to delete.
 */
export async function resetTestAllowances(
  deps: TestDependencies,
  workspaceId: string,
  { deadline }: { deadline: Deadline },
): Promise<void> {
  await deps.transact(
    async (tx) => {
      const current = await deps.generations.number(workspaceId, tx);
      if (await isEmpty(deps, inGeneration(workspaceId, current), tx)) return;
      const ended = await deps.generations.begin(workspaceId, tx);
      await deps.generations.addEnded(inGeneration(workspaceId, ended), deps.clock.now(), tx);
    },
    { deadline, retryDuplicateKeys: true },
  );
}

/** Whether an owner has no data. Every other document of an owner follows a charge or an allowance, and ends before one of them. */
async function isEmpty({ charges, allowances }: TestDependencies, owner: string, tx: Tx): Promise<boolean> {
  return !(await allowances.hasAny(owner, tx)) && !(await charges.hasAny(owner, tx));
}

/**
 * Ends all generations of a deleted workspace. What a call under way, or a key that is not revoked everywhere yet, writes to the last one
 * is deleted too.
 */
export async function endTestAllowances(
  deps: TestDependencies,
  workspaceId: string,
  { deadline }: { deadline: Deadline },
): Promise<void> {
  await deps.transact(
    async (tx) => {
      const nowMs = deps.clock.now();
      const ended = await deps.generations.begin(workspaceId, tx);
      for (const each of [ended, ended + 1])
        await deps.generations.addEnded(inGeneration(workspaceId, each), nowMs, tx);
      await deps.generations.forget(workspaceId, new Date(nowMs + forgottenAfterMs), tx);
    },
    { deadline, retryDuplicateKeys: true },
  );
}

/**
 * Deletes the data of generations that have ended. Any number of instances may do it at the same time, because every deletion is
 * idempotent. A failure or the end of the process leaves data for the next run.
 */
export async function deleteEndedGenerations(deps: TestDependencies, abort?: AbortSignal): Promise<void> {
  const endedByMs = deps.clock.now() - settlesAfterMs;
  let left = maxDeletedPerRun;
  for (const owner of await deps.generations.endedBy(endedByMs, maxGenerationsPerRun, timeoutMs)) {
    const { charges, ledger, refunds, counters, checkpoints, allowances } = deps;
    for (const store of [charges, ledger, refunds, counters, checkpoints, allowances]) {
      for (let isEmpty = false; !isEmpty; ) {
        if (left <= 0 || abort?.aborted) return;
        const batch = await store.deleteSome(owner, Math.min(maxBatchSize, left), timeoutMs);
        left -= batch.deleted;
        isEmpty = batch.isEmpty;
      }
    }
    await deps.generations.forgetEnded(owner, timeoutMs);
  }
}
