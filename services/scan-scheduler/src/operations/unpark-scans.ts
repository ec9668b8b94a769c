import { limitOfKey } from '../domain/pacing.ts';
import { takeTurn } from './admit-visits.ts';
import type { Dependencies } from './dependencies.ts';

/** Targets per call that get turns, the longest waiting first; the next call continues. */
const maxTargets = 200;
/** Turns of a target per call. */
const maxTurns = 50;

/**
 * Gives the turns of pacing targets to the scans that are parked for them, one turn per queue and round.
 *
 * - A scan with its turn becomes due as after a pause between visits: it comes at the virtual time, beside the late scans of its queue.
 * - A turn is taken and the scan is gone, or this process ends -> the turn is lost.
 * - Concurrency: each turn is one atomic reservation, so instances share the rate of a target.
 */
export async function unparkScans(deps: Dependencies): Promise<void> {
  const keys = await deps.scans.parkedTargets();
  if (keys.length === 0) return;
  const nowMs = deps.clock.now();
  const states = await deps.pacingTargets.findTurns(keys);
  const open = keys
    .map((key) => ({ key, ...(states.get(key) ?? { nextVisitMs: 0, lastQueue: '' }) }))
    .filter(({ nextVisitMs }) => nextVisitMs <= nowMs)
    .sort((a, b) => a.nextVisitMs - b.nextVisitMs)
    .slice(0, maxTargets);
  for (const { key, lastQueue } of open) await unparkScansOf(deps, key, lastQueue);
}

async function unparkScansOf(deps: Dependencies, key: string, lastQueue: string): Promise<void> {
  const target = { key, requestsPerSecond: limitOfKey(deps.policy.pacing, key) };
  let queue = lastQueue;
  for (let turn = 1; turn <= maxTurns; turn++) {
    const next = await deps.scans.nextParked(key, queue);
    if (!next || !(await takeTurn(deps, target))) break;
    if (await deps.scans.unpark(next.id, key)) queue = next.queue;
  }
  if (queue !== lastQueue) await deps.pacingTargets.setLastQueue(key, queue);
}
