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
 * Bills an answer, in the order that is the guarantee:
 * 1. the charge has a name (its id) before anything happens;
 * 2. metering reserves the units, or says that they are exhausted, or that the charge is settled already;
 * 3. whatever the answer promises (scan requests) is durable, then the usage event is: the commit point. Kafka first,
 *    metering over gRPC when Kafka does not answer; both carry the same ids into the same ledger;
 * 4. the caller may be told, and from 3 on nothing else than the answer that bills, until the charge is void.
 * A process killed after 1 leaves nothing; after 2 a reservation that metering releases; after 3 a bill that a retry
 * under the same Idempotency-Key finds settled. When neither way of 3 answers, the attempt is voided, and `internal` is
 * told only once the void is durable; otherwise the answer is withheld. For a charge that an Idempotency-Key names only
 * metering's word will do: the event may be durable all the same, and another execution have been answered with it.
 */
export interface Charged {
  /** Units that this charge bills, as recorded when it was settled already. */
  units: Units;
  /** lookup_cached units left. */
  remaining: number;
  /** Takes the charge back; resolves when the void is durable, rejects with OutcomeUnknownError when it cannot be told. */
  undo(): Promise<void>;
}

export type ChargeUnits = (request: ChargeRequest) => Promise<Charged>;

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
/** Kept free for a void after both ways of the usage event have failed. */
const voidReserveMs = 2_000;
/** The void must be known before the connection's own bound. */
const voidMarginMs = 150;

export function createChargeUnits(options: ChargeUnitsOptions): ChargeUnits {
  const { metering, events, balances, clock, onOutcome = () => {} } = options;

  const reserve = async (request: ChargeRequest): Promise<ReserveResult> => {
    const { caller, deadline, chargeId, fingerprint, units, origin } = request;
    const item: ReserveItem & { origin: Origin } = {
      chargeId,
      // One for the call and its repetitions: see ReserveItem in proto/.
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
    // Not the request's deadline: a charge is voided after a cancellation as well.
    const rpc = metering.voidCharge(voiding, createDeadline(timeoutMs, { clock }));
    const event = events.publishUsage(eventOf(request, reserved, UsageKind.VOID), origin, timeoutMs);
    return { rpc, event };
  };

  const orWithhold = async (request: ChargeRequest, done: Promise<unknown>): Promise<void> => {
    try {
      await done;
      request.billing.markVoided();
    } catch (error) {
      onOutcome('withheld');
      throw new OutcomeUnknownError(error);
    }
  };

  /** Resolves when the void is durable in metering or in Kafka. For charges that nobody else can have taken over. */
  const makeVoid = (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { rpc, event } = startVoid(request, reserved);
    return orWithhold(request, Promise.any([rpc, event]));
  };

  /**
   * Takes a charge back that another execution may have been answered with meanwhile; metering alone knows. The event
   * goes out as well, for a charge that nobody has taken over.
   */
  const takeBack = (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { rpc, event } = startVoid(request, reserved);
    event.catch(() => {});
    const known = rpc.then(({ counts }) => {
      if (counts) throw new Error('a later execution has been answered with the charge');
    });
    return orWithhold(request, known);
  };

  /** A later step failed before anything was published. Nobody waits: metering releases the reservation anyway, later. */
  const releaseReservation = (request: ChargeRequest, reserved: ReserveResult) => {
    const { chargeId, caller, origin } = request;
    const { workspaceId, keyId } = caller;
    const voiding = { chargeId, attempt: reserved.attempt, workspaceId, keyId, origin };
    metering.voidCharge(voiding, createDeadline(releaseTimeoutMs, { clock })).catch(() => {});
  };

  const commit = async (request: ChargeRequest, reserved: ReserveResult): Promise<void> => {
    const { origin, deadline, billing } = request;
    const event = eventOf(request, reserved, UsageKind.CHARGE);
    billing.beginCommit(event.units ?? request.units, deadline);
    try {
      await events.publishUsage(event, origin, deadline.timeoutMs(publishTimeoutMs));
      onOutcome('kafka');
    } catch {
      const timeoutMs = Math.min(recordTimeoutMs, Math.max(100, remainingWorkMs(deadline) - voidReserveMs));
      try {
        await metering.recordUsage(event, origin, createDeadline(timeoutMs, { clock }));
        onOutcome('grpc');
      } catch (error) {
        await (request.fingerprint.length > 0 ? takeBack : makeVoid)(request, reserved);
        onOutcome('voided');
        throw new AppError('internal', 'The service could not answer; nothing was billed.', { cause: error });
      }
    }
  };

  return async (request) => {
    request.billing.chargeId = request.chargeId;
    const reserved = await reserve(request);
    const { included } = request.caller.plan;
    const charged = (): Charged => ({
      units: reserved.units ?? request.units,
      remaining: remainingUnits(included.lookupCached, reserved.balance),
      undo: () => takeBack(request, reserved),
    });

    switch (reserved.outcome) {
      case ReserveOutcome.ALREADY_SETTLED:
        request.billing.earlier = 'settled_before';
        await request.beforeCommit?.(reserved.units ?? request.units);
        onOutcome('settled_before');
        // An execution before this one made the charge and may have been heard; it is not this one's to take back.
        return { ...charged(), undo: async () => {} };
      case ReserveOutcome.GRANTED:
        try {
          await request.beforeCommit?.(reserved.units ?? request.units);
          if (isZero(request.units)) onOutcome('free');
          else await commit(request, reserved);
        } catch (error) {
          if (!request.billing.mayBeBilled && !(error instanceof OutcomeUnknownError))
            releaseReservation(request, reserved);
          throw error;
        }
        return charged();
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
