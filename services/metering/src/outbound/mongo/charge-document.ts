import type { Charge } from '../../domain/charge.ts';
import { nonZero, type Units, unitsOf } from '../../domain/units.ts';

/**
 * Charges with their latest attempt, which is a reservation while it is open. Whether an attempt has been counted is not
 * written here but follows from the ledger, so that counting an event inserts and never updates; `sweepAt` is removed
 * afterwards, in bulk, by the sweeper.
 */
export interface ChargeDocument {
  _id: string;
  workspaceId: string;
  keyId: string;
  fingerprint: string;
  firstSeenAt: Date;
  attempt: number;
  /** Members that are not zero. */
  units: Partial<Units>;
  periodStart: Date;
  /** Who opened the attempt: tells a transaction whose commit went unanswered whether it took place. */
  ticket: string;
  executionId?: string;
  confirmed?: true;
  sweepAt?: Date;
  forgetAt?: Date;
}

export function toDocument(
  charge: Charge,
  options: { ticket: string; nowMs: number; retentionMs: number },
): ChargeDocument {
  const { ticket, nowMs, retentionMs } = options;
  return {
    _id: charge.id,
    workspaceId: charge.workspaceId,
    keyId: charge.keyId,
    fingerprint: charge.fingerprint,
    firstSeenAt: new Date(charge.firstSeenMs),
    attempt: charge.attempt,
    units: nonZero(charge.units),
    periodStart: new Date(charge.periodStartMs),
    ticket,
    ...(charge.executionId && { executionId: charge.executionId }),
    ...(charge.confirmed ? { confirmed: true as const } : {}),
    ...(charge.sweepAtMs === null
      ? { forgetAt: new Date(nowMs + retentionMs) }
      : { sweepAt: new Date(charge.sweepAtMs) }),
  };
}

export function withoutId({ _id, ...rest }: ChargeDocument): Omit<ChargeDocument, '_id'> {
  return rest;
}

export function toCharge(document: ChargeDocument): Charge {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    keyId: document.keyId,
    fingerprint: document.fingerprint,
    firstSeenMs: document.firstSeenAt.getTime(),
    attempt: document.attempt,
    units: unitsOf(document.units),
    periodStartMs: document.periodStart.getTime(),
    executionId: document.executionId ?? '',
    confirmed: document.confirmed ?? false,
    sweepAtMs: document.sweepAt?.getTime() ?? null,
  };
}
