import { dayMs } from '@shopscope/clock';
import { noUnits, type Units } from '@shopscope/proto';
import { type Attempt, attemptOf } from './attempt.ts';

/** The units that one request may bill, at most once, with the latest attempt to bill them. */
export interface Charge {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Hash of the request body in base64. It is '' if no Idempotency-Key names the charge. */
  fingerprint: string;
  /** When the latest attempt was opened. The idempotency window starts then; earlier attempts have billed nothing in it. */
  firstSeenMs: number;
  attempt: number;
  units: Units;
  /** The refunded units of the latest attempt. */
  refunded: Units;
  periodStartMs: number;
  /** The execution that opened the attempt. Ids sort by the start of the executions. It is '' if the caller sent none. */
  executionId: string;
  /** Whether a retry got this attempt as its response. An earlier execution can then no longer reverse it. */
  confirmed: boolean;
  /** When the sweeper may return the reservation. It is null once the attempt is known to have ended. */
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
  /** Whether the id names one charge after the window of an Idempotency-Key, too. */
  isPermanent?: boolean;
  /** Id of the HTTP request, for log lines. It is '' if the caller sent none. */
  requestId: string;
}

/** An item in the queue of its workspace. */
export interface QueuedReserveItem extends ReserveItem {
  /** The number of the attempt for which the ledger has caught up: all its durable usage events are in the ledger. */
  verifiedAttempt?: number;
}

/** An Idempotency-Key names the same charge for this time. Afterwards it names a new charge, unless the charge is permanent. */
export const idempotencyWindowMs = dayMs;

/** Returns the workspaces of charges or of their events. */
export const workspacesOf = (all: readonly { workspaceId: string }[]): string[] => [
  ...new Set(all.map(({ workspaceId }) => workspaceId)),
];

/** Returns the latest attempt of a charge. `entries` are its ledger entries, oldest first. Refunds are not subtracted. */
export const latestAttempt = (charge: Charge, entries: Parameters<typeof attemptOf>[1]): Attempt =>
  attemptOf(
    { ...charge, chargeId: charge.id, number: charge.attempt },
    entries,
    charge.sweepAtMs === null ? noUnits : charge.units,
  );

export type ReserveDecision =
  | { kind: 'fingerprint_mismatch' }
  | { kind: 'already_settled'; attempt: Attempt }
  /** The execution that opened the attempt has repeated its call. */
  | { kind: 'repeated'; attempt: Attempt }
  /** A later execution has superseded the execution of the caller, or the attempt of the caller has ended. */
  | { kind: 'stale' }
  /** The caller opens the attempt `number`, after it has voided `superseded`. */
  | { kind: 'open'; number: number; superseded: Attempt | undefined };

/**
 * Decides a Reserve for a charge that has a record. The caller checks the allowance afterwards.
 *
 * A gateway repeats a call whose response was lost, perhaps at another instance, while the first call is still in progress. The second call
 * must not void the attempt of the first call, whose usage event may be durable and not yet counted. Therefore:
 * - The same execution repeats the call -> it gets the attempt that it has opened.
 * - An earlier execution calls late -> nothing changes (`stale`).
 */
export function decideReserve(charge: Charge, latest: Attempt, item: ReserveItem, nowMs: number): ReserveDecision {
  const keyed = item.fingerprint !== '';
  const isNew = keyed && !item.isPermanent && nowMs - charge.firstSeenMs >= idempotencyWindowMs;
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
