import type { Tx } from '@shopscope/mongo';
import { emptyQueue, newStart, type Place, priorities, type QueueStarts } from '../domain/fair-order.ts';
import type { Dependencies } from './dependencies.ts';

export interface Placing {
  jobId: string;
  workspaceId: string;
  /** The place of the waiting scan that the job joins. Null if that scan has none, undefined for a new scan. */
  current: Place | null | undefined;
}

/**
 * Takes places in the queues of workspaces, with the given priority. Resolves to the places by job. A job whose scan keeps its place is
 * absent. Background scans have no jobs: their domains replace the job ids, and their source's queue replaces the workspace.
 *
 * - The transaction runs again -> its jobs get the same places.
 * - A scan is not written in the end -> the place stays unused, and the workspace loses one turn.
 * - Waiting scans have ended without a lease in their queue (their jobs expired, or another workspace's turn leased them) -> the starts of
 *   the queue are ahead. The queue returns to the virtual time when none of its scans waits.
 */
export type TakePlaces = (jobs: readonly Placing[], tx: Tx) => Promise<Map<string, Place>>;

type Starts = QueueStarts & { takenMs: number };
const neverTaken: Starts = { ...emptyQueue, takenMs: Number.NEGATIVE_INFINITY };
/** Scans are written within this time after their starts were taken, or never: their transaction has a deadline of 10 s. */
const writtenWithinMs = 15_000;

export function createTakePlaces(
  { queueStarts, scanQueue, clock }: Dependencies,
  priority: number = priorities.requested,
): TakePlaces {
  const taken = new Map<string, Place>();

  const takeFor = async (queue: string, jobs: readonly Placing[], starts: Starts, virtualTime: number, tx: Tx) => {
    const mayBeIdle = starts.next > virtualTime && clock.now() - starts.takenMs > writtenWithinMs;
    const isIdle = mayBeIdle && !(await scanQueue.hasQueued(queue, tx.maxTimeMS));
    const expectedStart = isIdle ? virtualTime : newStart(starts, virtualTime);
    const takers: string[] = [];
    for (const { jobId, current } of jobs) {
      const expected = { priority, start: expectedStart + takers.length };
      if (current === undefined || isBefore(expected, current)) takers.push(jobId);
    }
    if (takers.length === 0) return;
    const taking = { count: takers.length, isIdle, virtualTime, at: new Date(clock.now()) };
    const first = await queueStarts.take(queue, taking, tx.maxTimeMS);
    for (const [n, jobId] of takers.entries()) taken.set(jobId, { priority, queue, start: first + n });
  };

  return async (jobs, tx) => {
    const without = jobs.filter(({ jobId }) => !taken.has(jobId));
    if (without.length > 0) {
      const virtualTime = await queueStarts.virtualTime(tx.maxTimeMS);
      const byWorkspace = Map.groupBy(without, ({ workspaceId }) => workspaceId);
      const queues = await queueStarts.find([...byWorkspace.keys()], tx.maxTimeMS);
      await Promise.all(
        [...byWorkspace].map(([workspaceId, own]) =>
          takeFor(workspaceId, own, queues.get(workspaceId) ?? neverTaken, virtualTime, tx),
        ),
      );
    }
    const better = jobs.flatMap(({ jobId, current }): [string, Place][] => {
      const place = taken.get(jobId);
      return place && (current === undefined || isBefore(place, current)) ? [[jobId, place]] : [];
    });
    return new Map(better);
  };
}

const isBefore = (place: Pick<Place, 'priority' | 'start'>, current: Place | null) =>
  current === null ||
  place.priority < current.priority ||
  (place.priority === current.priority && place.start < current.start);
