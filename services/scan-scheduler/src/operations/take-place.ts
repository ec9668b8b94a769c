import type { Tx } from '@shopscope/mongo';
import { emptyQueue, newStart, type Place, priorities } from '../domain/fair-order.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Takes a place in the queue of a workspace for one scan that somebody asked for.
 *
 * - A transaction that runs again -> gets the same place.
 * - The scan is not written in the end -> the place stays unused, and the workspace loses one turn.
 */
export interface PlaceTaker {
  take(tx: Tx): Promise<Place>;
  /** Null when the scan keeps its place; then none is taken. */
  takeIfBetter(current: Place | null, tx: Tx): Promise<Place | null>;
}

export function createPlaceTaker({ queueStarts, clock }: Dependencies, workspaceId: string): PlaceTaker {
  const { requested: priority } = priorities;
  let taken: Place | undefined;
  const takeAt = async (virtualTime: number, tx: Tx) => {
    const start = await queueStarts.take(workspaceId, virtualTime, new Date(clock.now()), tx.maxTimeMS);
    taken = { priority, queue: workspaceId, start };
    return taken;
  };
  return {
    async take(tx) {
      return taken ?? takeAt(await queueStarts.virtualTime(tx.maxTimeMS), tx);
    },
    async takeIfBetter(current, tx) {
      if (taken) return isBefore(taken, current) ? taken : null;
      const virtualTime = await queueStarts.virtualTime(tx.maxTimeMS);
      const queue = (await queueStarts.find([workspaceId])).get(workspaceId) ?? emptyQueue;
      if (!isBefore({ priority, start: newStart(queue, virtualTime) }, current)) return null;
      const place = await takeAt(virtualTime, tx);
      return isBefore(place, current) ? place : null;
    },
  };
}

const isBefore = (place: Pick<Place, 'priority' | 'start'>, current: Place | null) =>
  current === null ||
  place.priority < current.priority ||
  (place.priority === current.priority && place.start < current.start);
