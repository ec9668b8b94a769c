import { dayMs } from '@shopscope/clock';
import { noUnits, type Units } from '@shopscope/proto';
import { type Attempt, attemptOf } from './attempt.ts';

/** What one request may bill, once, with its latest attempt. */
export interface Charge {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Hash of the request body, base64; '' when no Idempotency-Key names the charge. */
  fingerprint: string;
  /** When the latest attempt was opened. Earlier attempts of the charge have not billed anything in this window. */
  firstSeenMs: number;
  attempt: number;
  units: Units;
  /** Units of the latest attempt that were given back. */
  refunded: Units;
  periodStartMs: number;
  /** The execution that opened the attempt; ids sort by the start of the executions. '' when the caller sent none. */
  executionId: string;
  /** A retry got this attempt as its response, so an earlier execution can no longer reverse it. */
  confirmed: boolean;
  /** When the sweeper may return the reservation; null once the attempt is known to have ended. */
  sweepAtMs: number | null;
}

export interface ReserveItem {
  chargeId: string;
  workspaceId: string;
  keyId: string;
  fingerprint: string;
  executionId: string;
  units: Units;
  included: Units;
  /** Id of the HTTP request, for log lines; '' when the caller sent none. */
  requestId: string;
}

/** An item on its way through the workspace's queue. */
export interface QueuedReserveItem extends ReserveItem {
  /** The attempt whose durable usage events are all in the ledger, after a catch-up for it. */
  verifiedAttempt?: number;
}

/** For this long an Idempotency-Key names the same charge; afterwards it names a new one. */
export const idempotencyWindowMs = dayMs;

/** The latest attempt of a charge by its ledger entries, oldest first, without its refunds. */
export const latestAttempt = (charge: Charge, entries: Parameters<typeof attemptOf>[1]): Attempt =>
  attemptOf(
    { ...charge, chargeId: charge.id, number: charge.attempt },
    entries,
    charge.sweepAtMs === null ? noUnits : charge.units,
  );

export type ReserveDecision =
  | { kind: 'fingerprint_mismatch' }
  | { kind: 'already_settled'; attempt: Attempt }
  /** A repeated call of the execution that opened the attempt. */
  | { kind: 'repeated'; attempt: Attempt }
  /** A later execution has superseded the caller's, or the caller's attempt has ended. */
  | { kind: 'stale' }
  /** Open attempt `number`, after voiding `superseded`. */
  | { kind: 'open'; number: number; superseded: Attempt | undefined };

/**
 * Decides a Reserve for a charge that has a record; the allowance is checked afterwards.
 *
 * A gateway repeats a call whose response was lost, perhaps at another instance, while the first call is still in progress.
 * The second call must not void the attempt of the first: its usage event may be durable and not yet counted. Therefore:
 * - repeated call of the same execution -> the attempt that this execution opened
 * - late call of an earlier execution -> changes nothing (`stale`)
 */
export function decideReserve(charge: Charge, latest: Attempt, item: ReserveItem, nowMs: number): ReserveDecision {
  if (charge.workspaceId !== item.workspaceId) return { kind: 'fingerprint_mismatch' };
  const keyed = item.fingerprint !== '';
  const isNew = keyed && nowMs - charge.firstSeenMs >= idempotencyWindowMs;
  if (!isNew) {
    if (keyed && charge.fingerprint !== '' && charge.fingerprint !== item.fingerprint) {
      return { kind: 'fingerprint_mismatch' };
    }
    const isNamed = item.executionId !== '' && charge.executionId !== '';
    if (isNamed && item.executionId === charge.executionId) {
      const isValid = latest.state === 'open' || latest.state === 'counted';
      return isValid ? { kind: 'repeated', attempt: latest } : { kind: 'stale' };
    }
    if (isNamed && item.executionId < charge.executionId) return { kind: 'stale' };
    if (latest.state === 'counted') return { kind: 'already_settled', attempt: latest };
  }
  return {
    kind: 'open',
    number: charge.attempt + 1,
    superseded: latest.state === 'open' || latest.state === 'returned' ? latest : undefined,
  };
}
