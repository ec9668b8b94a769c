import type { Units } from '@shopscope/proto';
import type { EntryKind, Transition } from './attempt.ts';

/** One decision about an attempt. Entries are never changed or removed. The usage is the sum of their `units`. */
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
  /** First instant of the UTC day to which the units belong. A reversal has the day of its charge. */
  dayStartMs: number | undefined;
  operation: string;
  /** When the gateway created the response, by the clock of the gateway. */
  occurredAtMs: number;
  recordedAtMs: number;
}

export const attemptKey = (chargeId: string, attempt: number): string => `${chargeId}/${attempt}`;

/** Returns the ledger entry of a transition. */
export function entryOf(
  { kind, sequence, used: units, after }: Transition,
  origin: Pick<LedgerEntry, 'operation' | 'occurredAtMs' | 'recordedAtMs'>,
): LedgerEntry {
  const { chargeId, number: attempt, workspaceId, keyId, periodStartMs, dayStartMs } = after;
  return { chargeId, attempt, sequence, kind, units, workspaceId, keyId, periodStartMs, dayStartMs, ...origin };
}
