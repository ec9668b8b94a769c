import { targetOfKey, turnValidMs } from '../domain/pacing.ts';
import { takeTurn } from './admit-visits.ts';
import type { Dependencies } from './dependencies.ts';

/** The number of targets per call that get turns, in the order of their keys. The instance's next call continues behind them. */
const maxTargets = 200;

/**
 * Gives turns of pacing targets to the scans that are parked for them, one turn per queue and round. It runs before each search for a
 * lease.
 *
 * - A scan that gets its turn becomes due, as after a pause between visits: at the virtual time, beside the late scans of its queue.
 * - The scan with a target's latest turn is not leased yet -> the target gives no further turn for `turnValidMs`. After that time the scan
 *   needs another turn at its lease (admit-visits.ts).
 * - A turn is taken and the scan no longer exists, or this process ends -> the turn is lost.
 * - Concurrency: each turn is one atomic reservation, so instances share the rate. Each instance may give one turn more than are leased.
 */
export async function unparkScans(deps: Dependencies): Promise<void> {
  const { parkedWalk } = deps;
  const keys = await deps.parkedScans.targets(parkedWalk.after, maxTargets);
  parkedWalk.after = keys.length === maxTargets ? (keys.at(-1) ?? '') : '';
  if (keys.length === 0) return;
  const nowMs = deps.clock.now();
  const states = await deps.pacingTargets.findTurns(keys);
  const lastScans = [...states.values()].flatMap(({ lastScan }) => lastScan ?? []);
  const unleased = await deps.parkedScans.unleased(lastScans, new Date(nowMs - turnValidMs));
  const open = keys
    .map((key) => ({ key, waitMs: 0, lastQueue: '', lastScan: undefined, ...states.get(key) }))
    .filter(({ waitMs, lastScan }) => waitMs <= 0 && !(lastScan && unleased.has(lastScan.id)));
  for (const { key, lastQueue } of open) {
    const next = await deps.parkedScans.next(key, lastQueue);
    if (!next) continue;
    if (
      !(await takeTurn(deps, targetOfKey(deps.policy.pacing, key))) ||
      !(await deps.parkedScans.unpark(next, key, new Date(nowMs)))
    )
      continue;
    await deps.pacingTargets.setLastTurn(key, {
      lastQueue: next.queue,
      lastScan: { id: next.id, domain: next.domain },
    });
  }
}
