import type { Origin } from '@shopscope/telemetry';

/** A scan of a test store, for one job. Nothing is visited: time alone brings it from state to state. */
export interface SimulatedScan {
  id: string;
  workspaceId: string;
  domain: string;
  jobId: string;
  /** `observed`: the event about the scan is written, and profiles has not merged it yet. */
  state: 'queued' | 'running' | 'observed';
  /** The time of the next step: the start, the end, or the time at which an observed scan is given up. */
  dueAt: Date;
  /** The origin of the job. */
  origin: Origin;
}

/** The keys of the jobs of scans. */
export const jobKeysOf = (scans: readonly SimulatedScan[]) =>
  scans.map(({ jobId: id, workspaceId, domain }) => ({ id, workspaceId, domain }));

/** A simulated scan that has found its store. */
export interface CompletedScan extends SimulatedScan {
  /** The number of successful scans of the store since the last reset, from 1. */
  sequence: number;
  completedAt: Date;
}

/** The time from the request of a simulated scan to its start. A job that is canceled within it gives its unit back. */
export const queuedMs = 500;
