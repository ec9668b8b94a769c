import { liveStates } from '../domain/job.ts';
import type { Dependencies } from './dependencies.ts';

/** Updates the gauges of the queue. Every instance reports the whole queue. */
export async function reportQueue(deps: Dependencies): Promise<void> {
  const nowMs = deps.clock.now();
  const counts = await deps.jobs.countLive();
  for (const state of liveStates) deps.metrics.jobs.set({ state }, counts[state] ?? 0);
  const oldest = await deps.scans.oldestDueAt(new Date(nowMs));
  deps.metrics.oldestDue.set(oldest ? (nowMs - oldest.getTime()) / 1000 : 0);
  deps.metrics.parked.set(await deps.scans.countParked());
}
