import { secondMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import type { Dependencies } from '../dependencies.ts';
import { visitWorkspace } from './visit-workspace.ts';

/** Workspaces that an instance visits at the same time. */
const maxConcurrentVisits = 5;
/** Visits of one run. The next run continues. */
const maxVisits = 200;
/** A visit that has not ended by then is repeated, perhaps by another instance. */
const visitMs = 60 * secondMs;
const timeoutMs = 10_000;

/**
 * Visits the workspaces whose rescans are due, the one that has waited the longest first. A workspace with more work than one visit does
 * waits for its next turn behind the others.
 *
 * - A visit fails -> it is logged, and repeated when it would have ended.
 */
export async function runRescans<E extends Environment>(deps: Dependencies<E>, abort: AbortSignal): Promise<void> {
  const { environment, rescanQueue, clock, metrics, logger } = deps;
  let visits = 0;
  const begin = async () => {
    if (abort.aborted || visits++ >= maxVisits) return undefined;
    const now = new Date(clock.now());
    const visit = newId('exe', clock.now());
    const workspaceId = await rescanQueue.beginVisit(now, new Date(now.getTime() + visitMs), visit, timeoutMs);
    return workspaceId === undefined ? undefined : { workspaceId, visit };
  };
  const worker = async (first: Awaited<ReturnType<typeof begin>>) => {
    for (let begun = first; begun; begun = await begin()) {
      const { workspaceId, visit } = begun;
      try {
        await visitWorkspace(deps, { workspaceId, environment }, visit, abort);
      } catch (error) {
        logger.error(
          { err: error, workspaceId, environment },
          'the rescans of a workspace failed; another visit continues',
        );
      }
    }
  };
  // A run without due rescans reads the queue once.
  const first = await begin();
  const others = async () => worker(await begin());
  if (first) await Promise.all([worker(first), ...Array.from({ length: maxConcurrentVisits - 1 }, others)]);
  const now = new Date(clock.now());
  const { count, since } = await rescanQueue.late(now, timeoutMs);
  metrics.rescansDue.set({ environment }, count);
  metrics.oldestRescan.set({ environment }, since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0);
}
