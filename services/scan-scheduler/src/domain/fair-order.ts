/**
 * Start-time fair queueing: the order in which due scans are leased.
 *
 * - Each workspace has a queue. Its scans get virtual starts, each 1 higher than the one before. The scan with the lowest start of all
 *   queues is leased first. Every workspace with waiting scans therefore gets one lease per round, however many scans wait.
 * - The virtual time is the highest start that has been leased. A queue whose scans have all been leased continues at the virtual time.
 *   Neither past use nor past idleness counts.
 * - A scan that becomes due later (a further attempt, a pause between visits) keeps its start, unless the virtual time has passed it. Then
 *   it gets a start among the queue's late scans, which also grow by 1. Otherwise many scans would become due with old starts and delay all
 *   other workspaces.
 * - Bound: a queue has at most two scans per round. One of them is late.
 */

/** Scans of a higher priority value are leased only while no scan of a lower value is due. */
export const priorities = { requested: 0, background: 1 } as const;

export interface Place {
  /** One of the values of {@link priorities}. */
  priority: number;
  /** The queue of the scan: the id of the workspace whose request has the lowest start. */
  queue: string;
  start: number;
}

/** The fields of a due scan that decide the order of leases, most significant first, all ascending. */
export const leaseOrder = ['priority', 'start', 'dueAt'] as const;

type LeaseKey = Record<(typeof leaseOrder)[number], number | Date>;

/** Returns a negative number if `a` is leased before `b`. */
export function compareTurns(a: LeaseKey, b: LeaseKey): number {
  for (const field of leaseOrder) {
    const difference = Number(a[field]) - Number(b[field]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The lowest starts that are free for the next scan and the next late scan of a queue. */
export interface QueueStarts {
  next: number;
  nextLate: number;
}

export const emptyQueue: QueueStarts = { next: 0, nextLate: 0 };

/** Returns the start of a new scan. The queue continues after it. */
export const newStart = ({ next }: Pick<QueueStarts, 'next'>, virtualTime: number): number =>
  Math.max(next, virtualTime);

/** Returns the start of a scan that becomes due after its request. `start` is null if it has none yet. */
export function lateStart(start: number | null, { nextLate }: Pick<QueueStarts, 'nextLate'>, virtualTime: number) {
  if (start !== null && start >= virtualTime) return { start, nextLate };
  const late = Math.max(nextLate, virtualTime);
  return { start: late, nextLate: late + 1 };
}
