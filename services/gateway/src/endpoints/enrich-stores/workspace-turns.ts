import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { CallerPlan } from '../../keys/caller.ts';

/**
 * Spreads the batches of one workspace over time, so that other workspaces' requests wait behind few of them, however many
 * its keys may send at once.
 *
 * - Order: the batches of a workspace begin in the order of their calls. Workspaces do not wait for each other.
 * - A batch begins when the domains of the workspace's running batches leave room for its own, or when none runs.
 * - Rate: after two batches at once, the batches of a workspace begin at the average that its plan admits in a minute. In a plan
 *   with few requests a minute they begin faster: a batch never waits longer than four seconds for the rate alone.
 * - The deadline passes or the caller disconnects while its batch waits -> the batch never begins.
 * - Bound: what waits holds a concurrency slot of its key until its caller disconnects, and then at most the rest of its deadline without one. A
 *   queue is forgotten when nothing waits, nothing runs and its rate admits a batch.
 */
export type WorkspaceTurns = ReturnType<typeof createWorkspaceTurns>;

export interface Batch {
  workspaceId: string;
  plan: Pick<CallerPlan, 'rpm' | 'concurrency' | 'enrichBatchMax'>;
  domains: number;
  deadline: Deadline;
}

/** Two full batches: one is prepared while the other one waits for a service. */
const maxDomains = 200;
/** In this time the batches of all slots of a key have begun. */
const allSlotsMs = 4_000;

interface Queue {
  running: number;
  waiting: { domains: number; costMs: number; begin(): void }[];
  /** The next batch begins at this instant or later. */
  nextMs: number;
  cancelTimer(): void;
}

export function createWorkspaceTurns(options: {
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Number of gateways, which share the rate of a workspace. */
  replicas: number;
}) {
  const { clock, replicas } = options;
  const queues = new Map<string, Queue>();
  let waiting = 0;

  const queueOf = (workspaceId: string): Queue => {
    const existing = queues.get(workspaceId);
    if (existing) return existing;
    const queue = { running: 0, waiting: [], nextMs: Number.NEGATIVE_INFINITY, cancelTimer: () => {} };
    queues.set(workspaceId, queue);
    return queue;
  };

  /** Begins the batches whose turn it is, and comes again when the rate admits the next one. */
  const proceed = (workspaceId: string, queue: Queue) => {
    const nowMs = clock.monotonicMs();
    queue.cancelTimer();
    for (let next = queue.waiting[0]; next; next = queue.waiting[0]) {
      if (queue.running > 0 && queue.running + next.domains > maxDomains) return;
      if (queue.nextMs > nowMs) break;
      queue.waiting.shift();
      waiting -= 1;
      queue.running += next.domains;
      queue.nextMs = Math.max(queue.nextMs, nowMs - next.costMs) + next.costMs;
      next.begin();
    }
    if (queue.running > 0 && queue.waiting.length === 0) return;
    if (queue.nextMs > nowMs) {
      queue.cancelTimer = clock.after(queue.nextMs - nowMs, () => proceed(workspaceId, queue));
    } else if (queue.running === 0) {
      queues.delete(workspaceId);
    }
  };

  return {
    /** Batches of all workspaces that have not begun. */
    get waiting() {
      return waiting;
    },
    async run<T>({ workspaceId, plan, domains, deadline }: Batch, work: () => Promise<T>): Promise<T> {
      const queue = queueOf(workspaceId);
      const turn = Promise.withResolvers<void>();
      const batchesPerMs = Math.max(plan.rpm / (60_000 * replicas), plan.concurrency / allSlotsMs);
      const costMs = domains / (batchesPerMs * plan.enrichBatchMax);
      const entry = { domains, costMs, begin: turn.resolve };
      queue.waiting.push(entry);
      waiting += 1;
      proceed(workspaceId, queue);
      try {
        await deadline.race(turn.promise);
        // Throws when the caller has disconnected.
        deadline.timeoutMs();
        return await work();
      } finally {
        const place = queue.waiting.indexOf(entry);
        if (place >= 0) {
          queue.waiting.splice(place, 1);
          waiting -= 1;
        } else queue.running -= domains;
        proceed(workspaceId, queue);
      }
    },
  };
}
