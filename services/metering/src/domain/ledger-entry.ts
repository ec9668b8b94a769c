import type { EntryKind } from './attempt.ts';
import type { Units } from './units.ts';

/** One line of the ledger. Never changed and never removed; usage is the sum of `units`. */
export interface LedgerEntry {
  chargeId: string;
  attempt: number;
  /** Counts from 1 within the attempt. */
  sequence: number;
  kind: EntryKind;
  units: Units;
  workspaceId: string;
  keyId: string;
  periodStartMs: number;
  operation: string;
  /** When the response was made, by its gateway's clock. */
  occurredAtMs: number;
  recordedAtMs: number;
}

export const attemptKey = (chargeId: string, attempt: number): string => `${chargeId}/${attempt}`;
