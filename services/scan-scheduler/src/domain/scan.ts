import type { Origin } from '@shopscope/telemetry';
import type { Place } from './fair-order.ts';
import type { JobState } from './job.ts';

/** The states of a scan, see the README. A queued scan is waiting, ready or parked. A live scan has not ended. */
export const queuedStates = ['waiting', 'ready', 'parked'] as const;
export type ScanState = (typeof queuedStates)[number] | 'leased' | 'observed' | 'ended';

export const isQueued = ({ state }: Pick<Scan, 'state'>): boolean => queuedStates.some((queued) => queued === state);

/** A scan is one visit of a domain, for any number of jobs. A domain has at most one live scan. */
export interface Scan {
  id: string;
  domain: string;
  /**
   * The workspaces whose jobs have joined the scan. They lead to the shards of these jobs. Empty after the end of the scan. Bound: one entry
   * per workspace that asks for the domain while the scan lives.
   */
  workspaceIds: string[];
  state: ScanState;
  /** Null while the scan is live. */
  outcome: ScanOutcome | null;
  /** The sequence of the latest lease. It is 0 before the first lease. */
  sequence: number;
  /** The number of leases so far. It includes those that moved jobs had on an earlier scan. */
  attempts: number;
  /** The earliest time of the next lease. It follows from the time of the request, the pause between visits and the back-off. */
  dueAt: Date;
  /** The place among due scans. If its jobs moved to this scan, it is null until the scan is due. */
  place: Place | null;
  lease: Lease | null;
  observedAt: Date | null;
  /** The number of leases that ended by interruptions and cost no attempt. Absent before the first one. */
  interruptions?: number;
  /** The reason of the latest interruption. */
  interruptedBy?: string;
  /** The pacing targets at which this visit has had its turn. Absent before the first turn. */
  turns?: string[];
  /** The pacing targets at which the next request of the lease has its slot. */
  slots?: string[];
  /** The number of admitted requests of the lease, including the one whose admission is requested. */
  requestCount?: number;
  /** The same number per pacing target, since the latest turn there. */
  requestCounts?: Map<string, number>;
  /** The pacing targets at which a turn expired unused. This happens once per target: the next turn there does not expire. */
  expiredTurns?: string[];
  /** The pacing target that put the visit off during its lease. */
  putOffBy?: string;
  /** The pacing target for whose turn a parked scan waits. Absent in other states. */
  parkedFor?: string;
  /** Whether the visit was put off because it has sent as many requests as its turns or a lease allow. */
  isLongVisit?: boolean;
  /** The origin of the job that created the scan. */
  origin: Origin;
  createdAt: Date;
}

/** What a command on one scan names: the id, and the domain, by which scans are sharded. */
export type ScanKey = Pick<Scan, 'id' | 'domain'>;

export interface Lease {
  token: string;
  scannerId: string;
  expiresAt: Date;
}

export type ScanOutcome = 'succeeded' | 'failed';

/** The fields of a job at the time when it joins a scan. */
export interface JobStart {
  state: Extract<JobState, 'queued' | 'running'>;
  attempts: number;
  minSequence: number;
}

/**
 * Returns the start of a job that joins `scan`. Only an observation that completes after the join may end the job.
 * - The scan is leased -> the current lease is the job's first attempt, and its sequence is sufficient.
 * - Another state -> a later sequence is needed. A durable observation, or a late one of a lost lease, does not count.
 */
export function jobStartOf(scan: Pick<Scan, 'state' | 'sequence'>): JobStart {
  if (scan.state === 'leased') return { state: 'running', attempts: 1, minSequence: scan.sequence };
  return { state: 'queued', attempts: 0, minSequence: scan.sequence + 1 };
}
