import type { JobOrigin, JobState } from './job.ts';

/**
 * A physical scan: the one visit of a domain that any number of jobs wait for. A domain has at most one that is live
 * (queued, leased or observed). `observed` means that the observation is durable and its merge is awaited.
 */
export interface Scan {
  id: string;
  domain: string;
  state: ScanState;
  /** Of the latest lease; 0 before the first. */
  sequence: number;
  /** Leases given so far, for this scan or for the jobs that another one left to it. */
  attempts: number;
  /** Not to be leased before: queueing order, politeness and back-off in one instant. */
  dueAt: Date;
  lease: Lease | null;
  observedAt: Date | null;
  /** Of the job that made the scan necessary. */
  origin: JobOrigin;
  createdAt: Date;
}

export interface Lease {
  token: string;
  scannerId: string;
  expiresAt: Date;
}

export type ScanState = 'queued' | 'leased' | 'observed' | 'succeeded' | 'failed';

/** How a job starts that joins the scan as it is now. */
export interface Joining {
  state: Extract<JobState, 'queued' | 'running'>;
  attempts: number;
  minSequence: number;
}

/**
 * A job is satisfied by an observation that completes after the job's request. The lease being held will complete later
 * and counts as the job's first attempt; an observation that is already durable does not count, nor does a late one of
 * a lease that was lost before: only a later sequence will do.
 */
export function joiningOf(scan: Pick<Scan, 'state' | 'sequence'>): Joining {
  if (scan.state === 'leased') return { state: 'running', attempts: 1, minSequence: scan.sequence };
  return { state: 'queued', attempts: 0, minSequence: scan.sequence + 1 };
}
