import type { Place } from './fair-order.ts';
import type { JobOrigin, JobState } from './job.ts';

/** The states of a scan; the README has the table. A queued scan is waiting, ready or parked. A live scan has not ended. */
export const queuedStates = ['waiting', 'ready', 'parked'] as const;
export type ScanState = (typeof queuedStates)[number] | 'leased' | 'observed' | 'ended';

export const isQueued = ({ state }: Pick<Scan, 'state'>): boolean => queuedStates.some((queued) => queued === state);

/** A scan: one visit of a domain, for any number of jobs. A domain has at most one live scan. */
export interface Scan {
  id: string;
  domain: string;
  state: ScanState;
  /** Null while the scan is live. */
  outcome: ScanOutcome | null;
  /** Sequence of the latest lease; 0 before the first lease. */
  sequence: number;
  /** Number of leases so far, including those that moved jobs had on an earlier scan. */
  attempts: number;
  /** Earliest time of the next lease; it combines the time of the request, the pause between visits and back-off. */
  dueAt: Date;
  /** The turn among due scans; null until the scan is due when its jobs moved to it. */
  place: Place | null;
  lease: Lease | null;
  observedAt: Date | null;
  /** Number of leases that ended by interruptions and cost no attempt; absent before the first one. */
  interruptions?: number;
  /** Reason of the latest interruption. */
  interruptedBy?: string;
  /** The pacing targets at which this visit has had its turn; absent before the first one. */
  turns?: string[];
  /** The pacing targets at which the next request of the lease has its slot. */
  slots?: string[];
  /** The admitted requests of the lease, with the one that is asked for. */
  requestCount?: number;
  /** The same per pacing target, since the latest turn there. */
  requestCounts?: Map<string, number>;
  /** The pacing targets at which a turn was not used in time. It happens once per target: the next turn there stays valid. */
  expiredTurns?: string[];
  /** The pacing target that put the visit off during its lease. */
  putOffBy?: string;
  /** The pacing target for whose turn a parked scan waits; absent in other states. */
  parkedFor?: string;
  /** The visit was put off because it has sent as many requests as its turns, or a lease, allow. */
  isLongVisit?: boolean;
  /** Origin of the job that created the scan. */
  origin: JobOrigin;
  createdAt: Date;
}

export interface Lease {
  token: string;
  scannerId: string;
  expiresAt: Date;
}

export type ScanOutcome = 'succeeded' | 'failed';

/** The first state of a job that joins a scan. */
export interface JobStart {
  state: Extract<JobState, 'queued' | 'running'>;
  attempts: number;
  minSequence: number;
}

/**
 * The start of a job that joins `scan`. Only an observation that completes after the join may end the job.
 * - leased -> the current lease is the job's first attempt, and its sequence is enough.
 * - other states -> a later sequence is needed. A durable observation, or a late one of a lost lease, does not count.
 */
export function jobStartOf(scan: Pick<Scan, 'state' | 'sequence'>): JobStart {
  if (scan.state === 'leased') return { state: 'running', attempts: 1, minSequence: scan.sequence };
  return { state: 'queued', attempts: 0, minSequence: scan.sequence + 1 };
}
