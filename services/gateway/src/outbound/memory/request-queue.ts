import type { CompletedRequest, RequestsCompleted } from '@shopscope/proto';

/**
 * The answered requests that wait to be published for the request log, by workspace.
 *
 * - Cost of a request: one map look-up and one push, without I/O.
 * - Order: the requests of a workspace stay in order. Workspaces take turns.
 * - Bound: `maxQueued` requests, and half of that for one workspace, so that one caller cannot use up the queue.
 *   A request beyond it is not logged -> `onDropped`.
 */
export interface RequestQueue {
  add(workspaceId: string, request: CompletedRequest): void;
  /** Removes and returns at most `max` requests, in events of bounded size. */
  take(max: number): RequestsCompleted[];
  /** Requests that wait. */
  readonly size: number;
}

/** With the bounds of the texts of a request an event has at most 300 kB. Kafka accepts 900 kB. */
const maxPerEvent = 200;

export function createRequestQueue(options: {
  onDropped: (reason: 'queue_full' | 'workspace_share') => void;
  maxQueued?: number;
}): RequestQueue {
  const { onDropped, maxQueued = 20_000 } = options;
  const maxPerWorkspace = Math.ceil(maxQueued / 2);
  const byWorkspace = new Map<string, CompletedRequest[]>();
  let size = 0;

  return {
    add(workspaceId, request) {
      if (size >= maxQueued) return onDropped('queue_full');
      const waiting = byWorkspace.get(workspaceId);
      if (!waiting) byWorkspace.set(workspaceId, [request]);
      else if (waiting.length < maxPerWorkspace) waiting.push(request);
      else return onDropped('workspace_share');
      size++;
    },
    take(max) {
      const events: RequestsCompleted[] = [];
      let left = max;
      // At most `max` steps: each takes at least one request. The iteration comes to a workspace that is set again.
      for (const [workspaceId, waiting] of byWorkspace) {
        if (left === 0) break;
        // Set again, because a map keeps the order of insertion: the next workspace has its turn.
        byWorkspace.delete(workspaceId);
        const requests = waiting.splice(0, Math.min(maxPerEvent, left));
        if (waiting.length > 0) byWorkspace.set(workspaceId, waiting);
        left -= requests.length;
        events.push({ workspaceId, requests });
      }
      size -= max - left;
      return events;
    },
    get size() {
      return size;
    },
  };
}
