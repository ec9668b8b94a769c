import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { type LeaseGrant, LeaseOutcome, type Units, unitNames } from '@shopscope/proto';
import { allowanceKey } from '../domain/fold.ts';
import { type Lease, type LeaseAsk, unspent } from '../domain/lease.ts';
import type { Dependencies } from './dependencies.ts';

type Ask = LeaseAsk & { included: Units };

/** The longest wait for an update. A transaction that a dead process left open blocks updates of its allowance. */
const grantTimeoutMs = 250;
const retriesAtOnce = 16;

/**
 * Lends units to a gateway: one update per ask, without a transaction. The grants are read after the updates. If some updates
 * of a call fail, the call therefore grants the applied ones.
 *
 * - Concurrency: any number of gateways and instances may call it. MongoDB orders the updates of an allowance.
 * - A call is late or repeated -> it changes nothing, because its number is not higher than that of the lease.
 * - An update fails or takes too long -> abandoned transactions are ended, and the asks that were not applied run again, once.
 * - The period of the lease has ended -> nothing is lent, and the lease can still be ended.
 * - The environment is test -> nothing is lent, so that a reset finds every unit in metering.
 */
export async function leaseAllowance(
  deps: Dependencies,
  gatewayId: string,
  asks: readonly Ask[],
  { deadline }: Pick<CallContext, 'deadline'>,
): Promise<LeaseGrant[]> {
  const nowMs = deps.clock.now();
  const isLending = deps.environment === 'live';
  const current = periodAt(nowMs).startMs;
  const placed = asks.map((ask) => {
    const periodStartMs = ask.periodStartMs || current;
    return { ...ask, gatewayId, periodStartMs, mayGrant: isLending && periodStartMs === current, nowMs };
  });
  const ids = [...new Set(placed.map((ask) => allowanceKey(ask.workspaceId, ask.periodStartMs)))];
  const read = async () => {
    try {
      return await deps.leases.findMany(ids, { maxTimeMS: deadline.timeoutMs() });
    } catch (error) {
      for (const { unit } of asks) deps.metrics.leaseAsks.inc({ outcome: 'failed', unit: unitNames[unit] });
      throw error;
    }
  };
  // It is async, so that a deadline that expires between two updates rejects the second update and does not abandon the first one.
  const grant = async (some: typeof placed) => deps.leases.grant(some, deadline.timeoutMs(grantTimeoutMs));
  let failure: unknown;
  await grant(placed).catch((error: unknown) => {
    failure = error;
  });
  let allowances = await read();
  const leaseOf = (ask: (typeof placed)[number]) =>
    allowances.get(allowanceKey(ask.workspaceId, ask.periodStartMs))?.leases.find(({ id }) => id === ask.leaseId);
  if (failure !== undefined) {
    deps.logger.warn({ err: failure, asks: asks.length }, 'calls about leases run again, one by one');
    await deps.killAbandonedTransactions();
    const missing = placed.filter((ask) => (leaseOf(ask)?.call ?? 0) < ask.call);
    for (let start = 0; start < missing.length; start += retriesAtOnce) {
      await Promise.allSettled(missing.slice(start, start + retriesAtOnce).map((ask) => grant([ask])));
    }
    allowances = await read();
  }

  return placed.map((ask): LeaseGrant => {
    const { periodStartMs } = ask;
    const allowance = allowances.get(allowanceKey(ask.workspaceId, periodStartMs));
    const lease = leaseOf(ask);
    const isGranted = lease !== undefined && lease.call === ask.call && !lease.isClosing && lease.granted > lease.spent;
    const isFailed = failure !== undefined && (lease?.call ?? 0) < ask.call;
    const answered = ask.isFinal ? 'final' : isGranted ? 'granted' : 'direct';
    deps.metrics.leaseAsks.inc({ outcome: isFailed ? 'failed' : answered, unit: unitNames[ask.unit] });
    const isElsewhere = ({ id, unit, endsAt }: Lease) =>
      id !== ask.leaseId && unit === ask.unit && endsAt.getTime() > nowMs;
    return {
      outcome: isGranted ? LeaseOutcome.GRANTED : LeaseOutcome.DIRECT,
      granted: isGranted ? lease.granted : 0,
      usableMs: isGranted ? lease.usableMs : 0,
      periodStartMs,
      periodRestMs: Math.max(0, periodAt(periodStartMs).endMs - nowMs),
      taken: allowance?.taken[ask.unit] ?? 0,
      lentElsewhere: unspent((allowance?.leases ?? []).filter(isElsewhere)),
    };
  });
}
