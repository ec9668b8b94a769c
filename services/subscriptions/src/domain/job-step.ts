import type { FaultReason } from '@shopscope/enrich';
import type { Refusal } from './bulk-job.ts';
import type { ExportPart, ExportPosition } from './export.ts';

/**
 * Some stores of a job, which are looked up, billed and answered together. Steps of an enrichment are in the order of their domains. An export
 * has one step at a time that is not done.
 */
export interface JobStep {
  jobId: string;
  workspaceId: string;
  /** The index of the step in its job, from 0. */
  number: number;
  /** Empty of an export. */
  inputs: readonly StepInput[];
  /** Null of an enrichment. */
  position: ExportPosition | null;
  /** The stored rows of an export. */
  part: ExportPart | null;
  /**
   * - `waiting`: nothing is billed.
   * - `stored`: the results are stored and hidden. They may be billed.
   * - `done`: the results are shown.
   */
  state: 'waiting' | 'stored' | 'done';
  /** The units that the stored results bill. */
  units: number;
  /** The number of stored results that are errors. */
  failed: number;
  /** The number of failed executions. */
  failures: number;
}

export interface StepInput {
  domain: string;
  externalId: string | null;
}

/** A step that one execution holds. `leaseToken` is no longer valid when another execution has taken it over. */
export interface LeasedStep extends JobStep {
  leaseToken: string;
}

/** The result of one store. */
export interface JobResult extends StepInput {
  match: 'matched' | 'stale' | 'no_match' | 'error';
  reason: 'not_in_corpus' | 'internal' | FaultReason | Refusal | null;
  scanJobId: string | null;
  /** The store body, in the bytes that profiles stores. */
  store: Buffer | null;
}

/** A step has at most this many stores. */
export const maxStepSize = 100;
/** An execution ends within 15 s. Afterwards another execution may take the step over. */
export const leaseMs = 30_000;
const maxBackoffMs = 600_000;

/** The pause of a step after an execution that failed. */
export const backoffMs = (failures: number): number => Math.min(maxBackoffMs, 1_000 * 2 ** Math.min(failures, 20));
