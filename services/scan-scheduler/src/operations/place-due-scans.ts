import { emptyQueue, lateStart, type Place, priorities } from '../domain/fair-order.ts';
import type { UnplacedScan } from '../outbound/mongo/scan-queue.ts';
import type { Dependencies } from './dependencies.ts';

const maxBatchSize = 500;
const maxBatches = 20;

/**
 * Assigns a place in the order of leases to scans that became due. Scans that were due at their request already have one, so the search
 * usually finds nothing.
 *
 * - A scan has no place because its jobs moved to it -> it gets a place in the queue of the workspace of its oldest job.
 * - Concurrency: each scan is placed by one conditional update. Two instances that place scans at the same time may assign the same start
 *   to two scans.
 * - An abandoned transaction holds one of the scans -> the placement conflicts with it and kills it, instead of waiting for it.
 * - Bound: 10,000 scans per call. The next call continues.
 */
export async function placeDueScans(deps: Dependencies): Promise<void> {
  for (let batch = 1; batch <= maxBatches; batch++) {
    const at = new Date(deps.clock.now());
    const unplaced = await deps.scanQueue.listUnplaced(at, maxBatchSize);
    if (unplaced.length === 0) return;
    const virtualTime = await deps.queueStarts.virtualTime();
    const queueOf = await queuesOf(deps, unplaced);
    const starts = await deps.queueStarts.find([...new Set(queueOf.values())]);
    const raised = new Map<string, number>();
    const placed = unplaced.map((seen) => {
      const queue = queueOf.get(seen.id) ?? '';
      const nextLate = raised.get(queue) ?? (starts.get(queue) ?? emptyQueue).nextLate;
      const late = lateStart(seen.place?.start ?? null, { nextLate }, virtualTime);
      if (late.nextLate > nextLate) raised.set(queue, late.nextLate);
      const place: Place = { priority: seen.place?.priority ?? priorities.requested, queue, start: late.start };
      return { seen, place };
    });
    await deps.queueStarts.raiseLate(raised, at);
    await deps.transact((tx) => deps.scanQueue.makeReady(placed, at, tx));
    if (unplaced.length < maxBatchSize) return;
  }
}

async function queuesOf(deps: Dependencies, unplaced: readonly UnplacedScan[]): Promise<Map<string, string>> {
  const without = unplaced.filter(({ place }) => !place);
  const queueOf = without.length > 0 ? await deps.jobs.oldestWorkspaces(without) : new Map<string, string>();
  for (const { id, place } of unplaced) if (place) queueOf.set(id, place.queue);
  return queueOf;
}
