import type { Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import { workspacesOf } from '../domain/charge.ts';
import { inGeneration, workspaceOf } from '../domain/generation.ts';
import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies, TestDependencies } from './dependencies.ts';

/** MongoDB ends a transaction within 74 s, and clocks differ by less than the rest. Nothing is written to a generation of this age. */
const settlesAfterMs = 3 * minuteMs;
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
  const current = await generations.current(workspacesOf(all), deadline.timeoutMs());
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

/** Resolves to the periods without those of ended generations, whose documents are deleted one after the other. */
export async function ofCurrentGenerations<Period extends PeriodOf>(
  { generations }: Pick<Dependencies, 'generations'>,
  periods: readonly Period[],
  maxTimeMS: number,
): Promise<readonly Period[]> {
  if (!generations) return periods;
  const workspaceIds = [...new Set(periods.map(({ workspaceId }) => workspaceOf(workspaceId)))];
  const current = await generations.current(workspaceIds, maxTimeMS);
  const owners = new Set(workspaceIds.map((id) => inGeneration(id, current.get(id) ?? 0)));
  return periods.filter(({ workspaceId }) => owners.has(workspaceId));
}

/**
 * Begins a new generation of the workspace, which has neither usage nor an adjustment of an allowance.
 *
 * - A call is under way -> it ends in the generation in which it began.
 * - A usage event of the ended generation arrives later -> the new generation has no record of its charge, and the event changes nothing.
 * - The call is repeated -> the generation between the two calls is empty.
 */
export async function resetTestAllowances(
  deps: TestDependencies,
  workspaceId: string,
  { deadline }: { deadline: Deadline },
): Promise<void> {
  await deps.transact(
    async (tx) => {
      const ended = await deps.generations.begin(workspaceId, tx);
      await deps.generations.addEnded(inGeneration(workspaceId, ended), deps.clock.now(), tx);
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
