import type { KeyedSlots } from '@shopscope/async';
import type { Dependencies } from './dependencies.ts';
import { removeStores } from './remove-stores.ts';

/** The steps of one run. */
const maxStepsPerRun = 100;
const timeoutMs = 10_000;

/**
 * Removes stores of opt-outs until no step is due. Each step takes a slot of merges. Reports how long the oldest step that is left has been
 * due.
 */
export async function removeDueStores(
  deps: Dependencies,
  slots: Pick<KeyedSlots, 'run'>,
  abort: AbortSignal,
): Promise<void> {
  for (let steps = 0; steps < maxStepsPerRun && !abort.aborted; steps++)
    if (!(await slots.run('merge', () => removeStores(deps)))) break;
  const nowMs = deps.clock.now();
  const [oldest] = await deps.optOuts.dueSteps(new Date(nowMs), timeoutMs);
  deps.metrics.oldestRemoval.set(oldest ? (nowMs - oldest.getTime()) / 1_000 : 0);
}

/** Returns the number of opt-outs whose next step is due. */
export const pendingRemovals = async ({ optOuts, clock }: Pick<Dependencies, 'optOuts' | 'clock'>): Promise<number> =>
  (await optOuts.dueSteps(new Date(clock.now()), timeoutMs)).length;
