import { createDeadline, createKeyedBatcher, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { type LeaseGrant, LeaseOutcome } from '@shopscope/proto';
import { LRUCache } from 'lru-cache';
import type { ChargeRequest } from '../domain/charge.ts';
import { Lease, type LeasedCharge } from '../domain/lease.ts';
import { SpendingPace } from '../domain/spending-pace.ts';
import type { MeteringClient } from '../outbound/grpc/metering.ts';

/**
 * Pays look-ups from leases: units of allowances that metering lends to this process. One call asks for the units of all
 * requests that wait, whatever their workspaces. So the cost of a request does not depend on how many workspaces share the
 * traffic.
 *
 * - A call wants units for the requests that wait, and for those that are expected while the units may be spent. A request takes a
 *   unit that its lease holds without a call. Units return when they may not be spent any more.
 * - Concurrency: one call is under way at a time. Requests that find no unit meanwhile wait for the next one.
 * - Nothing is lent, or the call fails -> undefined: Reserve decides. For a time, the workspace is not asked for, after a failed
 *   call none.
 * - The process dies -> metering returns what it held, within 90 s.
 * - Bounds: {@link maxWorkspaces}, {@link maxBatchSize} requests per call, 20,000 that wait.
 */
export interface LeaseUnits {
  /** A charge of one look-up, or undefined when Reserve has to decide. Rejects with the deadline's error. */
  charge(request: Pick<ChargeRequest, 'caller' | 'deadline'>): Promise<LeasedCharge | undefined>;
  /** Ends all leases. Later charges are for Reserve. */
  stop(): Promise<void>;
}

interface Waiting {
  account: Account;
  /** Absent: nobody waits, and unspent units are returned. */
  deadline?: Deadline;
}

/** A workspace under one plan. */
interface Account {
  workspaceId: string;
  included: ChargeRequest['caller']['plan']['included'];
  pace: SpendingPace;
  lease: Lease | undefined;
  /** The lease before: metering is told of its end with the next call. */
  ended: Lease | undefined;
  /** Reserve decides until then, on the monotonic clock. */
  directUntilMs: number;
}

const maxWorkspaces = 20_000;
const callTimeoutMs = 1_000;
const stopTimeoutMs = 2_000;
/** How often units are returned that may not be spent any more. */
const returnMs = 500;
const maxAsksPerCall = 1_000;
/** Metering lends nothing of an allowance with less than this left. Another plan or a new period ends the pause. */
const scarceUnits = 16;
/** A call has up to two asks of a workspace. */
const maxBatchSize = maxAsksPerCall / 2;
const past = Number.NEGATIVE_INFINITY;
const scarcePauseMs = 60_000;
const directPauseMs = 1_000;
const offPauseMs = 10_000;

/** The next request opens a lease. A lease that metering never granted needs no end. */
function replaceLease(account: Account): void {
  if (account.lease?.isKnown) account.ended = account.lease;
  account.lease = undefined;
}

export function createLeaseUnits({
  metering,
  clock,
}: {
  metering: Pick<MeteringClient, 'leaseAllowance'>;
  clock: Pick<Clock, 'now' | 'monotonicMs' | 'after'>;
}): LeaseUnits {
  const gatewayId = newId('lse', clock.now());
  const accounts = new LRUCache<string, Account>({ max: maxWorkspaces });
  /** Accounts whose leases may hold units or have ended. */
  const holding = new Set<Account>();
  let cancelReturn: (() => void) | undefined;
  let offUntilMs = past;

  const accountOf = ({ workspaceId, plan: { included } }: ChargeRequest['caller']): Account => {
    const account = accounts.get(workspaceId);
    if (!account) {
      const created = {
        ...{ workspaceId, included, pace: new SpendingPace() },
        ...{ lease: undefined, ended: undefined, directUntilMs: past },
      };
      accounts.set(workspaceId, created);
      return created;
    }
    // Leases lend no other unit.
    if (account.included.lookupCached !== included.lookupCached) {
      replaceLease(account);
      account.directUntilMs = past;
    }
    account.included = included;
    return account;
  };

  const asksOf = (account: Account, units: number) => {
    const { workspaceId, included } = account;
    if (account.lease?.isOver(clock)) replaceLease(account);
    const asks = account.ended ? [account.ended.end(clock)] : [];
    account.ended = undefined;
    if (units > 0) account.lease ??= new Lease(newId('lse', clock.now()), account.pace);
    if (account.lease && units > 0) asks.push(account.lease.ask(units, clock));
    else if (account.lease?.isKnown) asks.push(account.lease.returnUnits(clock));
    return asks.map((ask) => ({ ...ask, workspaceId, included }));
  };

  const apply = (account: Account, grant: LeaseGrant | undefined) => {
    if (grant?.outcome === LeaseOutcome.GRANTED) account.lease?.granted(grant);
    else {
      replaceLease(account);
      const isScarce = grant !== undefined && account.included.lookupCached - grant.taken < scarceUnits;
      account.directUntilMs =
        clock.monotonicMs() + (isScarce ? Math.min(scarcePauseMs, grant.periodRestMs) : directPauseMs);
    }
  };

  const run = async (items: Waiting[]): Promise<(LeasedCharge | undefined)[]> => {
    // The call before this one may have failed, or granted nothing.
    const isAsked = ({ account, deadline }: Waiting) =>
      clock.monotonicMs() >= offUntilMs &&
      (!deadline || (clock.monotonicMs() >= account.directUntilMs && !deadline.expired));
    const byAccount = Map.groupBy(items.filter(isAsked), ({ account }) => account);
    if (byAccount.size === 0) return items.map(() => undefined);
    const asked = [...byAccount].map(([account, waiting]) => {
      const units = waiting.filter(({ deadline }) => deadline).length;
      return { account, units, asks: asksOf(account, units) };
    });
    for (const { account } of asked) holding.add(account);
    scheduleReturn();
    try {
      const call = { gatewayId, asks: asked.flatMap(({ asks }) => asks) };
      // Not the deadline of a caller: the call is for the lease, whoever waits.
      const { grants, granting } = await metering.leaseAllowance(call, createDeadline(callTimeoutMs, { clock }));
      if (!granting) offUntilMs = clock.monotonicMs() + offPauseMs;
      let answered = 0;
      for (const { account, asks, units } of asked) {
        answered += asks.length;
        // The last ask is for the current lease.
        if (units > 0) apply(account, grants[answered - 1]);
      }
    } catch (error) {
      const isUnknown = error instanceof AppError && error.code === 'not_implemented';
      offUntilMs = clock.monotonicMs() + (isUnknown ? offPauseMs : directPauseMs);
      for (const { account } of asked) if (!account.lease?.isKnown) replaceLease(account);
    }
    return items.map((item) =>
      item.deadline && byAccount.has(item.account) && !item.deadline.expired
        ? item.account.lease?.spend(clock)
        : undefined,
    );
  };

  const charges = createKeyedBatcher<Waiting, LeasedCharge | undefined>({
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize,
    run,
    clock,
  });

  /** Returns the units that leases may not spend any more. */
  const scheduleReturn = () => {
    cancelReturn ??= clock.after(returnMs, () => {
      cancelReturn = undefined;
      for (const account of holding) {
        const { lease, ended } = account;
        if (!ended && lease?.holdsUnits && lease.isUsable(clock)) continue;
        holding.delete(account);
        if (ended || lease?.holdsUnits) charges.submit({ account }).catch(() => {});
      }
      if (holding.size > 0) scheduleReturn();
    });
  };

  return {
    async charge({ caller, deadline }) {
      const nowMs = clock.monotonicMs();
      if (nowMs < offUntilMs) return undefined;
      const account = accountOf(caller);
      if (nowMs < account.directUntilMs) return undefined;
      const held = account.lease?.spend(clock);
      if (held) return held;
      return charges.submit({ account, deadline }, deadline);
    },
    async stop() {
      offUntilMs = Number.POSITIVE_INFINITY;
      cancelReturn?.();
      cancelReturn = undefined;
      holding.clear();
      const held = [...accounts.values()].flatMap(({ lease, ended, workspaceId, included }) =>
        [lease, ended].flatMap((one) => (one?.isKnown ? [{ ...one.end(clock), workspaceId, included }] : [])),
      );
      accounts.clear();
      const deadline = createDeadline(stopTimeoutMs, { clock });
      for (let start = 0; start < held.length; start += maxAsksPerCall) {
        const asks = held.slice(start, start + maxAsksPerCall);
        // A lease that metering is not told about ends by itself.
        await metering.leaseAllowance({ gatewayId, asks }, deadline).catch(() => {});
      }
    },
  };
}
