import type { Attempt } from './attempt.ts';
import type { Units } from './units.ts';

/** A named thing that may be billed once, and its latest attempt. */
export interface Charge {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Hash of the request body, base64; '' when no Idempotency-Key names the charge. */
  fingerprint: string;
  /** When its latest attempt was opened: no attempt before it, of the same charge, has billed anything. */
  firstSeenMs: number;
  attempt: number;
  units: Units;
  periodStartMs: number;
  /** The execution that opened the attempt; ids sort by the time at which executions began. '' when none was named. */
  executionId: string;
  /** A retry was answered with this attempt, so an execution before it can no longer take it back. */
  confirmed: boolean;
  /** When the reservation may be given back; null once the attempt is known to have ended. */
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
  /** Of the HTTP request that asks, for log lines; '' when the caller names none. */
  requestId: string;
}

/** An item, and what is known of its charge meanwhile. */
export interface Reservation extends ReserveItem {
  /** The charge's latest attempt, when the ledger has caught up with whatever another execution may have said of it. */
  certainAttempt?: number;
}

/** An Idempotency-Key names the same charge this long; afterwards it names a new one. */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

export type ReserveDecision =
  | { kind: 'fingerprint_mismatch' }
  | { kind: 'already_settled'; attempt: Attempt }
  /** The execution asks again and finds the attempt that it has opened. */
  | { kind: 'repeated'; attempt: Attempt }
  /** A later execution has taken the charge over. */
  | { kind: 'outrun' }
  /** Open attempt `number`, after voiding `superseded`. */
  | { kind: 'open'; number: number; superseded: Attempt | undefined };

/**
 * What a Reserve means for a charge that was seen before; whether the allowance holds it is decided afterwards.
 *
 * A call whose answer was lost is sent again, to another instance perhaps, while the first may still be under way there.
 * Whichever comes second must not void the attempt of the first: its usage event may be durable and not yet counted. So a
 * repetition finds its execution's own attempt, and a straggler of an earlier execution changes nothing.
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
      const stands = latest.state === 'open' || latest.state === 'counted';
      return stands ? { kind: 'repeated', attempt: latest } : { kind: 'outrun' };
    }
    if (isNamed && item.executionId < charge.executionId) return { kind: 'outrun' };
    if (latest.state === 'counted') return { kind: 'already_settled', attempt: latest };
  }
  return {
    kind: 'open',
    number: charge.attempt + 1,
    superseded: latest.state === 'open' || latest.state === 'returned' ? latest : undefined,
  };
}
