import { createDeadline, type Deadline } from '@shopscope/async';
import { type Clock, periodAt } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import {
  isZero,
  type LeasedAmount,
  leasedOf,
  type ReserveItem,
  ReserveOutcome,
  type ReserveResult,
  type Units,
  UsageKind,
  unitsOf,
  type VoidChargeRequest,
} from '@shopscope/proto';
import type { BalanceCache } from './balance-cache.ts';
import {
  AllowanceLentError,
  allowanceExhausted,
  bodyConflict,
  type ChargeRequest,
  remainingUnits,
  usageEventOf,
} from './charge.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { LeasedCharge } from './lease.ts';
import type { LeaseUnits } from './lease-units.ts';
import type { MeteringClient } from './metering-client.ts';
import { OutcomeUnknownError } from './request-billing.ts';
import { createCommitDeadline, remainingWorkMs, responseTimeoutMs } from './request-deadline.ts';

export interface ChargeResult {
  /** The units that this charge bills. If an earlier execution settled it, these are its recorded units. */
  units: Units;
  /** The number of the attempt that bills them. */
  attempt: number;
  /** The number of lookup_cached units that are left. Undefined if a lease of another unit paid, because it does not know them. */
  remaining: number | undefined;
  /** Resolves when metering has voided the charge. Rejects with OutcomeUnknownError when that is not certain. */
  voidCharge(): Promise<void>;
}

export type ChargeOutcome =
  | 'kafka'
  | 'grpc'
  | 'settled_before'
  | 'free'
  | 'exhausted'
  | 'lent'
  | 'conflict'
  | 'voided'
  | 'withheld'
  | 'failed';

/** The dependencies of charges. The service that charges creates them once. */
export interface ChargeDependencies {
  metering: Pick<MeteringClient, 'reserve' | 'voidCharge' | 'recordUsage' | 'getBalance'>;
  leases: Pick<LeaseUnits, 'charge'>;
  events: Pick<EventPublisher, 'publishUsage'>;
  balances: Pick<BalanceCache, 'put'>;
  clock: Pick<Clock, 'now' | 'monotonicMs' | 'after' | 'sleep'>;
  onCharge(outcome: ChargeOutcome): void;
}

const publishTimeoutMs = 1_000;
const recordTimeoutMs = 3_000;
const releaseTimeoutMs = 2_000;
/** While little of an allowance is left, a lease ends 2 s after its last call. */
const lentMaxMs = 2_000;
/** A gateway returns unspent units with a call, at most 0.5 s after the end of their lease. */
const lentReturnMs = 600;
const lentRetryAfterS = 1;
/** The time that is kept for a void after Kafka and metering have failed. */
const voidTimeMs = 2_000;
/** The void must end this long before the connection closes. */
const voidMarginMs = 150;

/** The source of the units of a charge: a reservation or a lease. */
type Reserved = ReserveResult & { leased?: LeasedCharge };

/**
 * The amount that a lease may pay: the whole charge or nothing. Undefined if the charge has an Idempotency-Key, because a retry has to find
 * the charge, and if it does not have exactly one billing unit, because a lease lends only one.
 */
const leasableOf = ({ fingerprint, units }: ChargeRequest): LeasedAmount | undefined =>
  fingerprint.length > 0 ? undefined : leasedOf(units);

function grantedBy(leased: LeasedCharge, { units }: ChargeRequest): Reserved {
  const { periodStartMs } = leased;
  const taken = unitsOf({ lookupCached: leased.taken });
  const { endMs: periodEndMs } = periodAt(periodStartMs);
  return {
    outcome: ReserveOutcome.GRANTED,
    attempt: 1,
    units,
    periodStartMs,
    exhaustedUnit: '',
    lentForMs: 0,
    // A balance counts lookup_cached units, and a lease knows only its own unit.
    balance:
      units.lookupCached > 0 ? { periodStartMs, periodEndMs, taken, used: undefined, reserved: undefined } : undefined,
    leased,
  };
}

function voidOf(
  { chargeId, caller, units }: ChargeRequest,
  { attempt, periodStartMs, leased }: Reserved,
): VoidChargeRequest {
  const { workspaceId, keyId } = caller;
  const charge = { chargeId, attempt, workspaceId, keyId };
  return leased ? { ...charge, lease: { leaseId: leased.leaseId, units, periodStartMs } } : charge;
}

export async function reserve(
  { metering, clock }: Pick<ChargeDependencies, 'metering' | 'clock'>,
  request: Omit<ChargeRequest, 'operation' | 'billing' | 'onReserved' | 'beforeEvent'>,
): Promise<ReserveResult> {
  const { caller, deadline, chargeId, fingerprint, units, origin } = request;
  const item: ReserveItem = {
    chargeId,
    // The call and its retries have the same id: see ReserveItem in proto/.
    executionId: newId('exe', clock.now()),
    workspaceId: caller.workspaceId,
    keyId: caller.keyId,
    fingerprint,
    units,
    included: caller.plan.included,
    isPermanent: request.isPermanent,
    requestId: origin.requestId,
  };
  const reserved = await metering.reserve(item, origin, deadline);
  if (reserved.outcome !== ReserveOutcome.LENT || reserved.lentForMs <= 0) return reserved;
  const waitMs = Math.min(reserved.lentForMs, lentMaxMs) + lentReturnMs;
  if (waitMs >= remainingWorkMs(deadline)) return reserved;
  // There is only one retry: the units of a process that died return later than a request may last.
  await clock.sleep(waitMs);
  return metering.reserve(item, origin, deadline);
}

/** The error of a charge that metering has not decided for this execution. */
export const undecided = (outcome: ReserveOutcome) =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `reserve outcome ${outcome}`,
  });

function startVoid({ metering, events, clock }: ChargeDependencies, request: ChargeRequest, reserved: Reserved) {
  const { origin, deadline } = request;
  const timeoutMs = Math.max(100, responseTimeoutMs - voidMarginMs - deadline.elapsedMs);
  // The deadline of the request is not used: a charge is voided even after a cancellation.
  const rpc = metering.voidCharge(voidOf(request, reserved), origin, createDeadline(timeoutMs, { clock }));
  const event = events.publishUsage(usageEventOf(UsageKind.VOID, request, reserved, clock.now()), origin, timeoutMs);
  return { rpc, event };
}

async function settleVoid(
  deps: ChargeDependencies,
  { billing }: ChargeRequest,
  voided: Promise<unknown>,
): Promise<void> {
  try {
    await voided;
    billing.markVoided();
  } catch (error) {
    deps.onCharge('withheld');
    throw new OutcomeUnknownError(error);
  }
}

/** Resolves when the void is durable in metering or in Kafka. Only for charges that no other execution shares. */
function voidAnywhere(deps: ChargeDependencies, request: ChargeRequest, reserved: Reserved): Promise<void> {
  const { rpc, event } = startVoid(deps, request, reserved);
  return settleVoid(deps, request, Promise.any([rpc, event]));
}

/**
 * Resolves when metering has voided the charge. Only metering knows whether another execution has sent a response with
 * this charge. The void is also published, in case the RPC fails and there is no other execution.
 */
function voidInMetering(deps: ChargeDependencies, request: ChargeRequest, reserved: Reserved): Promise<void> {
  const { rpc, event } = startVoid(deps, request, reserved);
  event.catch(() => {});
  const voided = rpc.then(({ counts }) => {
    if (counts) throw new Error('a later execution has sent a response with this charge');
  });
  return settleVoid(deps, request, voided);
}

/** Releases a charge without a published usage event. Best effort: a reservation that is not released expires in metering. */
function release({ metering, clock }: ChargeDependencies, request: ChargeRequest, reserved: Reserved): void {
  if (reserved.leased) reserved.leased.release();
  else {
    const deadline = createDeadline(releaseTimeoutMs, { clock });
    metering.voidCharge(voidOf(request, reserved), request.origin, deadline).catch(() => {});
  }
}

/** Makes durable what the response promises. After the commit has begun, all steps run even if the caller disconnects. */
async function beginCommit(deps: ChargeDependencies, request: ChargeRequest, reserved: Reserved): Promise<Deadline> {
  const { billing, deadline } = request;
  const units = reserved.units ?? request.units;
  try {
    if (!isZero(request.units)) billing.beginCommit(units, deadline);
    const commitDeadline = createCommitDeadline(deadline, deps.clock);
    await request.beforeEvent?.(units, commitDeadline, { number: reserved.attempt, isSettled: false });
    return commitDeadline;
  } catch (error) {
    // No usage event was published, so nothing is billed.
    billing.markVoided();
    release(deps, request, reserved);
    throw error;
  }
}

/** Publishes the usage event, or sends it to metering. If both fail, it voids the charge and throws. */
async function publishUsage(
  deps: ChargeDependencies,
  request: ChargeRequest,
  reserved: Reserved,
  deadline: Deadline,
): Promise<void> {
  const { metering, events, clock, onCharge } = deps;
  const { origin } = request;
  const event = usageEventOf(UsageKind.CHARGE, request, reserved, clock.now());
  try {
    await events.publishUsage(event, origin, deadline.timeoutMs(publishTimeoutMs));
    onCharge('kafka');
  } catch {
    const timeoutMs = Math.min(recordTimeoutMs, Math.max(100, deadline.remainingMs - voidTimeMs));
    try {
      await metering.recordUsage(event, origin, createDeadline(timeoutMs, { clock }));
      onCharge('grpc');
    } catch (error) {
      const hasIdempotencyKey = request.fingerprint.length > 0;
      await (hasIdempotencyKey ? voidInMetering : voidAnywhere)(deps, request, reserved);
      onCharge('voided');
      throw new AppError('internal', 'The service could not answer; nothing was billed.', { cause: error });
    }
  }
}

/**
 * Charges the units of a response. The order of the steps is the guarantee:
 *
 * 1. The charge gets its id.
 *    Crash -> nothing is left behind.
 * 2. A lease holds the units, or metering reserves them. Otherwise metering reports that the allowance is exhausted, or that the charge is
 *    already settled.
 *    Crash -> metering returns the units when the lease or the reservation has ended.
 * 3. The commit: the scan requests that the response promises become durable, and then the usage event. The event is published to Kafka.
 *    While Kafka is unavailable, it is sent to metering over gRPC, with the same ids and into the same ledger.
 *    Crash before the event -> the scans run unbilled. Crash after it -> the charge is billed; a retry with the Idempotency-Key finds it.
 *    The caller disconnects before the commit -> nothing is done or billed. It disconnects during the commit -> all steps still run.
 * 4. The response is sent. After step 3 only the billed response may be sent, unless the charge has been voided.
 *
 * Failures of step 3:
 * - Kafka and metering are unavailable -> the attempt is voided. `internal` is sent only when the void is durable.
 * - It is unknown whether the void is durable -> OutcomeUnknownError; the response is withheld.
 * - The charge has an Idempotency-Key -> only metering can confirm its void. The usage event may be durable, and another
 *   execution may have sent a response with it.
 */
export async function chargeUnits(deps: ChargeDependencies, unpaid: ChargeRequest): Promise<ChargeResult> {
  const { leases, balances, clock, onCharge } = deps;
  // Step 1: the id. The lease that holds the units gives the charge its id. Without a lease, the charge keeps the id of the request.
  const leasable = leasableOf(unpaid);
  const leased = leasable && (await leases.charge({ ...unpaid, ...leasable }));
  const request = leased ? { ...unpaid, chargeId: leased.chargeId } : unpaid;
  request.billing.chargeId = request.chargeId;
  // Step 2: the units. Without a lease, metering reserves them.
  const reserved = leased ? grantedBy(leased, request) : await reserve(deps, request);
  if (reserved.balance) balances.put(request.caller.workspaceId, reserved.balance, leased && ['lookupCached']);
  const { included } = request.caller.plan;
  const result = (): ChargeResult => ({
    units: reserved.units ?? request.units,
    attempt: reserved.attempt,
    remaining: reserved.balance && remainingUnits(included.lookupCached, reserved.balance),
    voidCharge: () => voidInMetering(deps, request, reserved),
  });

  switch (reserved.outcome) {
    case ReserveOutcome.ALREADY_SETTLED:
      request.billing.earlier = 'settled_before';
      request.onReserved?.();
      await request.beforeEvent?.(reserved.units ?? request.units, createCommitDeadline(request.deadline, clock), {
        number: reserved.attempt,
        isSettled: true,
      });
      onCharge('settled_before');
      // This charge is never voided: an earlier execution made it, and that response may have reached the caller.
      return { ...result(), voidCharge: async () => {} };
    case ReserveOutcome.GRANTED: {
      request.onReserved?.();
      // Step 3: the commit.
      const commitDeadline = await beginCommit(deps, request, reserved);
      if (isZero(request.units)) onCharge('free');
      else await publishUsage(deps, request, reserved, commitDeadline);
      // Step 4: the response. The caller sends it.
      return result();
    }
    case ReserveOutcome.FINGERPRINT_MISMATCH:
      onCharge('conflict');
      throw bodyConflict();
    case ReserveOutcome.LENT:
      onCharge('lent');
      throw new AllowanceLentError(lentRetryAfterS);
    case ReserveOutcome.EXHAUSTED:
      onCharge('exhausted');
      throw allowanceExhausted(reserved, request);
    default:
      onCharge('failed');
      throw undecided(reserved.outcome);
  }
}
