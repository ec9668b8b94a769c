import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { type ReserveItem, ReserveOutcome, type ReserveResult, type Units, UsageKind } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import {
  allowanceExhausted,
  bodyConflict,
  type ChargeRequest,
  remainingUnits,
  usageEventOf,
} from '../domain/charge.ts';
import { OutcomeUnknownError } from '../domain/outcome-unknown-error.ts';
import { remainingWorkMs, responseTimeoutMs } from '../domain/request-deadline.ts';
import { isZero } from '../domain/units.ts';
import type { MeteringClient } from '../outbound/grpc/metering.ts';
import type { EventPublisher } from '../outbound/kafka/events.ts';
import type { BalanceCache } from '../outbound/memory/balance-cache.ts';

/**
 * Charges the units of a response. The order of the steps is the guarantee:
 *
 * 1. The charge gets its id.
 *    Crash -> nothing is left behind.
 * 2. Metering reserves the units. Or it reports that the allowance is exhausted, or that the charge is settled already.
 *    Crash -> metering returns the reservation when it expires.
 * 3. What the response promises (scan requests) becomes durable, and then the usage event: the commit point. The event goes
 *    to Kafka; while Kafka is unavailable, to metering over gRPC, with the same ids and into the same ledger.
 *    Crash -> the charge is billed, and a retry under the same Idempotency-Key finds it settled.
 * 4. The response is sent. After step 3 only the billed response may be sent, unless the charge has been voided.
 *
 * Failures of step 3:
 * - Kafka and metering are unavailable -> the attempt is voided. `internal` is sent only when the void is durable.
 * - The void is not known to be durable -> OutcomeUnknownError; the response is withheld.
 * - The charge has an Idempotency-Key -> only metering can confirm its void. The usage event may be durable, and another
 *   execution may have sent a response with it.
 */
export interface ChargeResult {
  /** The units that this charge bills. For a charge that was settled before: its recorded units. */
  units: Units;
  /** lookup_cached units left. */
  remaining: number;
  /** Resolves when metering has voided the charge. Rejects with OutcomeUnknownError when that is not certain. */
  voidCharge(): Promise<void>;
}

export type ChargeUnits = (request: ChargeRequest) => Promise<ChargeResult>;

export type ChargeOutcome =
  | 'kafka'
  | 'grpc'
  | 'settled_before'
  | 'free'
  | 'exhausted'
  | 'conflict'
  | 'voided'
  | 'withheld'
  | 'failed';

export interface ChargeUnitsOptions {
  metering: Pick<MeteringClient, 'reserve' | 'voidCharge' | 'recordUsage'>;
  events: Pick<EventPublisher, 'publishUsage'>;
  balances: Pick<BalanceCache, 'put'>;
  clock: Pick<Clock, 'now' | 'monotonicMs' | 'after'>;
  onOutcome?: (outcome: ChargeOutcome) => void;
}

const publishTimeoutMs = 1_000;
const recordTimeoutMs = 3_000;
const releaseTimeoutMs = 2_000;
/** Time that is left for a void when Kafka and metering have failed. */
const voidTimeMs = 2_000;
/** The void must end this long before the connection closes. */
const voidMarginMs = 150;

export function createChargeUnits(options: ChargeUnitsOptions): ChargeUnits {
  const { metering, events, balances, clock, onOutcome = () => {} } = options;

  const reserve = async (request: ChargeRequest): Promise<ReserveResult> => {
    const { caller, deadline, chargeId, fingerprint, units, origin } = request;
    const item: ReserveItem & { origin: Origin } = {
      chargeId,
      // The same for the call and its retries: see ReserveItem in proto/.
      executionId: newId('exe', clock.now()),
      workspaceId: caller.workspaceId,
      keyId: caller.keyId,
      fingerprint,
      units,
      included: caller.plan.included,
      origin,
    };
    const result = await metering.reserve(item, deadline);
    if (result.balance) balances.put(caller.workspaceId, result.balance);
    return result;
  };

  const eventOf = (request: ChargeRequest, reserved: ReserveResult, kind: UsageKind) =>
    usageEventOf(kind, request, reserved, clock.now());

  const startVoid = (request: ChargeRequest, reserved: ReserveResult) => {
    const { chargeId, caller, origin, deadline } = request;
    const timeoutMs = Math.max(100, responseTimeoutMs - voidMarginMs - deadline.elapsedMs);
    const { workspaceId, keyId } = caller;
    const voiding = { chargeId, attempt: reserved.attempt, workspaceId, keyId, origin };
    // Not the request's deadline: a charge is voided also after a cancellation.
    const rpc = metering.voidCharge(voiding, createDeadline(timeoutMs, { clock }));
    const event = events.publishUsage(eventOf(request, reserved, UsageKind.VOID), origin, timeoutMs);
    return { rpc, event };
  };

  const settleVoid = async (request: ChargeRequest, voided: Promise<unknown>): Promise<void> => {
    try {
      await voided;
      request.billing.markVoided();
    } catch (error) {
      onOutcome('withheld');
      throw new OutcomeUnknownError(error);
    }
  };

  /** Resolves when the void is durable in metering or in Kafka. For charges without other executions. */
  const voidAnywhere = (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { rpc, event } = startVoid(request, reserved);
    return settleVoid(request, Promise.any([rpc, event]));
  };

  /**
   * Resolves when metering has voided the charge. Only metering knows whether another execution has sent a response with
   * this charge. The void is also published, in case the RPC fails and there is no other execution.
   */
  const voidInMetering = (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { rpc, event } = startVoid(request, reserved);
    event.catch(() => {});
    const voided = rpc.then(({ counts }) => {
      if (counts) throw new Error('a later execution has sent a response with this charge');
    });
    return settleVoid(request, voided);
  };

  /** Best effort, when a step failed before the usage event was published: an unreleased reservation expires in metering. */
  const releaseReservation = (request: ChargeRequest, reserved: ReserveResult) => {
    const { chargeId, caller, origin } = request;
    const { workspaceId, keyId } = caller;
    const voiding = { chargeId, attempt: reserved.attempt, workspaceId, keyId, origin };
    metering.voidCharge(voiding, createDeadline(releaseTimeoutMs, { clock })).catch(() => {});
  };

  /** Publishes the usage event, or voids the charge itself when that fails. */
  const commit = async (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { origin, deadline } = request;
    const event = eventOf(request, reserved, UsageKind.CHARGE);
    try {
      await events.publishUsage(event, origin, deadline.timeoutMs(publishTimeoutMs));
      onOutcome('kafka');
    } catch {
      const timeoutMs = Math.min(recordTimeoutMs, Math.max(100, remainingWorkMs(deadline) - voidTimeMs));
      try {
        await metering.recordUsage(event, origin, createDeadline(timeoutMs, { clock }));
        onOutcome('grpc');
      } catch (error) {
        const hasIdempotencyKey = request.fingerprint.length > 0;
        await (hasIdempotencyKey ? voidInMetering : voidAnywhere)(request, reserved);
        onOutcome('voided');
        throw new AppError('internal', 'The service could not answer; nothing was billed.', { cause: error });
      }
    }
  };

  return async (request) => {
    request.billing.chargeId = request.chargeId;
    const reserved = await reserve(request);
    const { included } = request.caller.plan;
    const result = (): ChargeResult => ({
      units: reserved.units ?? request.units,
      remaining: remainingUnits(included.lookupCached, reserved.balance),
      voidCharge: () => voidInMetering(request, reserved),
    });

    switch (reserved.outcome) {
      case ReserveOutcome.ALREADY_SETTLED:
        request.billing.earlier = 'settled_before';
        await request.beforeCommit?.(reserved.units ?? request.units);
        onOutcome('settled_before');
        // Never voided: an earlier execution made the charge, and its response may have reached the caller.
        return { ...result(), voidCharge: async () => {} };
      case ReserveOutcome.GRANTED:
        try {
          await request.beforeCommit?.(reserved.units ?? request.units);
          if (!isZero(request.units)) request.billing.beginCommit(reserved.units ?? request.units, request.deadline);
        } catch (error) {
          releaseReservation(request, reserved);
          throw error;
        }
        if (isZero(request.units)) onOutcome('free');
        else await commit(request, reserved);
        return result();
      case ReserveOutcome.FINGERPRINT_MISMATCH:
        onOutcome('conflict');
        throw bodyConflict();
      case ReserveOutcome.EXHAUSTED:
        onOutcome('exhausted');
        throw allowanceExhausted(reserved, request);
      default:
        onOutcome('failed');
        throw new AppError('internal', 'The service could not answer; retry in a few seconds.', {
          internal: `reserve outcome ${reserved.outcome}`,
        });
    }
  };
}
