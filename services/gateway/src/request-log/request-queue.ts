import type { Clock } from '@shopscope/clock';
import type { CompletedRequest, RequestsCompleted } from '@shopscope/proto';

/**
 * The answered requests that wait to be published for the request log, by workspace.
 *
 * - Cost of a request: one map look-up and one push, without I/O.
 * - Order: the requests of a workspace stay in order. Workspaces take turns.
 * - Due: an event costs Kafka, the dashboard and MongoDB as much as some tens of requests. The requests of a workspace therefore wait
 *   until {@link dueRequests} of them are queued, for at most {@link dueMs}. None waits while at most {@link fewWorkspaces} workspaces
 *   are in the queue, or while the queue is half full.
 * - Bound: `maxQueued` requests, and half of that for one workspace, so that one caller cannot use up the queue.
 *   A request beyond the bound is not logged -> `onDropped`.
 */
export type RequestQueue = ReturnType<typeof createRequestQueue>;

/** The texts of a request are bounded. An event therefore has at most 300 kB. Kafka accepts 900 kB. */
const maxPerEvent = 200;
const dueRequests = 20;
const dueMs = 10_000;
const fewWorkspaces = 50;

interface Queued {
  /** The monotonic time at which the oldest request was queued. */
  sinceMs: number;
  requests: CompletedRequest[];
}

export function createRequestQueue(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  onDropped: (reason: 'queue_full' | 'workspace_share') => void;
  maxQueued?: number;
}) {
  const { clock, onDropped, maxQueued = 20_000 } = options;
  const maxPerWorkspace = Math.ceil(maxQueued / 2);
  const byWorkspace = new Map<string, Queued>();
  let size = 0;

  const take = (max: number, isDue: (queued: Queued) => boolean) => {
    const events: RequestsCompleted[] = [];
    let left = max;
    // The iteration reaches a workspace again after it was set again. Each such step takes requests.
    for (const [workspaceId, queued] of byWorkspace) {
      if (left === 0) break;
      if (!isDue(queued)) continue;
      // The workspace is set again, because a map keeps the order of insertion: the next workspace has its turn.
      byWorkspace.delete(workspaceId);
      const requests = queued.requests.splice(0, Math.min(maxPerEvent, left));
      if (queued.requests.length > 0) byWorkspace.set(workspaceId, queued);
      left -= requests.length;
      events.push({ workspaceId, requests });
    }
    size -= max - left;
    return events;
  };

  return {
    add(workspaceId: string, request: CompletedRequest) {
      if (size >= maxQueued) return onDropped('queue_full');
      const queued = byWorkspace.get(workspaceId);
      if (!queued) byWorkspace.set(workspaceId, { sinceMs: clock.monotonicMs(), requests: [request] });
      else if (queued.requests.length < maxPerWorkspace) queued.requests.push(request);
      else return onDropped('workspace_share');
      size++;
    },
    /** Removes and returns at most `max` requests that are due, in events of bounded size. */
    takeDue(max: number): RequestsCompleted[] {
      const mayWait = byWorkspace.size > fewWorkspaces && size < maxQueued / 2;
      const dueSinceMs = clock.monotonicMs() - dueMs;
      return take(max, ({ sinceMs, requests }) => !mayWait || requests.length >= dueRequests || sinceMs <= dueSinceMs);
    },
    take: (max: number): RequestsCompleted[] => take(max, () => true),
    /** The number of waiting requests. */
    get size() {
      return size;
    },
  };
}
