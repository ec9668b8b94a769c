import { liveStates } from '../domain/job.ts';
import type { Dependencies } from './dependencies.ts';

/** Updates the gauges of the queue. Every instance reports the whole queue. */
export async function reportQueue(deps: Dependencies): Promise<void> {
  const nowMs = deps.clock.now();
  const counts = await deps.jobs.countLive();
  for (const state of liveStates) deps.metrics.jobs.set({ state }, counts[state] ?? 0);
  const gauges = { requested: deps.metrics.oldestDue, background: deps.metrics.oldestBackground } as const;
  for (const kind of ['requested', 'background'] as const) {
    const oldest = await deps.scanQueue.oldestDueAt(kind, new Date(nowMs));
    gauges[kind].set(oldest ? (nowMs - oldest.getTime()) / 1000 : 0);
  }
  deps.metrics.parked.set(await deps.parkedScans.count());
  const oldestParkedAt = await deps.parkedScans.oldestDueAt();
  deps.metrics.oldestParked.set(oldestParkedAt ? Math.max(0, nowMs - oldestParkedAt.getTime()) / 1000 : 0);
}
