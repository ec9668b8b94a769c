import { isZero, type Units, unitsOf } from '@shopscope/proto';
import type { Charge } from '../../domain/charge.ts';
import { nonZero } from '../../domain/units.ts';

/**
 * A charge with its latest attempt, which is a reservation while it is open. The ledger stores whether the attempt is counted; this
 * document does not. Counting an event therefore does not change this document. The sweeper removes `sweepAt` later, in bulk.
 */
export interface ChargeDocument {
  _id: string;
  workspaceId: string;
  keyId: string;
  fingerprint: string;
  firstSeenAt: Date;
  attempt: number;
  /** The members that are not zero. */
  units: Partial<Units>;
  /** Absent if nothing was refunded. */
  refunded?: Partial<Units>;
  periodStart: Date;
  /** The transaction token. After a commit of unknown outcome, it shows whether the transaction took place. */
  ticket: string;
  executionId?: string;
  confirmed?: true;
  sweepAt?: Date;
  forgetAt?: Date;
}

export function toDocument(
  charge: Charge,
  options: { transactionToken: string; nowMs: number; retentionMs: number },
): ChargeDocument {
  const { transactionToken, nowMs, retentionMs } = options;
  return {
    _id: charge.id,
    workspaceId: charge.workspaceId,
    keyId: charge.keyId,
    fingerprint: charge.fingerprint,
    firstSeenAt: new Date(charge.firstSeenMs),
    attempt: charge.attempt,
    units: nonZero(charge.units),
    ...(isZero(charge.refunded) ? {} : { refunded: nonZero(charge.refunded) }),
    periodStart: new Date(charge.periodStartMs),
    ticket: transactionToken,
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
    refunded: unitsOf(document.refunded),
    periodStartMs: document.periodStart.getTime(),
    executionId: document.executionId ?? '',
    confirmed: document.confirmed ?? false,
    sweepAtMs: document.sweepAt?.getTime() ?? null,
  };
}
