import { createDeadline, createKeyedBatcher, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { type LeasableUnit, type LeasedAmount, type LeaseGrant, LeaseOutcome, leasableUnits } from '@shopscope/proto';
import { LRUCache } from 'lru-cache';
import type { ChargeRequest } from './charge.ts';
import { Lease, type LeasedCharge, type LeaseState } from './lease.ts';
import type { MeteringClient } from './metering-client.ts';
import { SpendingPace } from './spending-pace.ts';

/**
 * Pays charges of one billing unit from leases: units of allowances that metering lends to this process. One call asks for the units of all
 * requests that wait, whatever their workspaces and billing units. The cost of a request therefore does not depend on how many workspaces
 * share the traffic.
 *
 * - A call asks for the units of the waiting requests, and of the requests that are expected while the units may be spent. A request needs
 *   no call when its lease holds enough units. Unspent units return to the allowance when they may no longer be spent.
 * - Requests of a busy workspace seldom wait: twice a second, one call asks for more units for the leases that are running out.
 * - Concurrency: one call runs at a time. A request that finds too few units during a call waits for the next call.
 * - Metering lends fewer units than a charge needs -> the lent units return before Reserve decides about the charge, because Reserve may
 *   need them. For a minute, Reserve decides about charges of that size at once, and leases pay smaller ones.
 * - Metering lends nothing, or the call fails -> `charge` returns undefined, and Reserve decides. After a refusal, the unit of that
 *   workspace is not asked for during a pause. After a failed call, no unit is asked for during a pause.
 * - The process dies -> metering returns the units that it held within 90 s.
 * - Bounds: {@link maxAccounts}; {@link maxBatchSize} requests per call; 20,000 waiting requests.
 */
export type LeaseUnits = ReturnType<typeof createLeaseUnits>;

interface Waiting {
  account: Account;
  /** The units of the charge that waits. 0 if no charge waits. */
  amount: number;
  deadline?: Deadline;
  /** Whether the lease asks for more units although no request waits. Otherwise it returns its unspent units. */
  renews?: boolean;
}

/** One billing unit of a workspace under one plan. */
interface Account {
  workspaceId: string;
  unit: LeasableUnit;
  included: ChargeRequest['caller']['plan']['included'];
  pace: SpendingPace;
  lease: Lease | undefined;
  /** The previous lease. The next call reports its end to metering. */
  ended: Lease | undefined;
  /** Whether the lease is asking for more units without a waiting request. */
  isRenewing: boolean;
  /** Reserve decides about all charges until this monotonic time. */
  directUntilMs: number;
  /** Until `untilMs`, Reserve decides about charges of more than `units`: metering lent only this many when more were wanted. */
  lendable: { units: number; untilMs: number };
}

/** 20,000 workspaces, with all billing units that can be leased. */
const maxAccounts = 20_000 * leasableUnits.length;
const callTimeoutMs = 1_000;
const stopTimeoutMs = 2_000;
/** Upkeep interval. Each run returns expired units, and renews leases that end within two intervals. */
const upkeepMs = 500;
const maxAsksPerCall = 1_000;
/** Metering lends nothing of an allowance with less than this left. Another plan or a new period ends the pause. */
const scarceUnits = 16;
/** A call may contain two asks of one account. */
const maxBatchSize = maxAsksPerCall / 2;
const past = Number.NEGATIVE_INFINITY;
const anyAmount = { units: Number.POSITIVE_INFINITY, untilMs: past };
const scarcePauseMs = 60_000;
const directPauseMs = 1_000;

const askOf = ({ workspaceId, unit, included }: Account, lease: LeaseState) => ({
  ...lease,
  workspaceId,
  unit,
  included,
});

/** The next request opens a new lease. Metering needs no report of the end of a lease that it never granted. */
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
}) {
  const gatewayId = newId('lse', clock.now());
  const accounts = new LRUCache<string, Account>({ max: maxAccounts });
  /** Accounts whose leases may hold units or have ended. */
  const holding = new Set<Account>();
  let cancelUpkeep: (() => void) | undefined;
  /** No units are asked for until this monotonic time. */
  let offUntilMs = past;
  const isOff = () => clock.monotonicMs() < offUntilMs;

  const accountOf = ({ workspaceId, plan: { included } }: ChargeRequest['caller'], unit: LeasableUnit): Account => {
    const key = `${workspaceId}/${unit}`;
    const account = accounts.get(key);
    if (!account) {
      const created = {
        workspaceId,
        unit,
        included,
        pace: new SpendingPace(),
        lease: undefined,
        ended: undefined,
        isRenewing: false,
        directUntilMs: past,
        lendable: anyAmount,
      };
      accounts.set(key, created);
      return created;
    }
    if (account.included[unit] !== included[unit]) {
      replaceLease(account);
      account.directUntilMs = past;
      account.lendable = anyAmount;
    }
    account.included = included;
    return account;
  };

  /** `units` is undefined if the lease only returns its units. */
  const asksOf = (account: Account, units: number | undefined) => {
    if (account.lease?.isOver(clock)) replaceLease(account);
    const asks = account.ended ? [account.ended.returnUnits(clock, { final: true })] : [];
    account.ended = undefined;
    if (units !== undefined) account.lease ??= new Lease(newId('lse', clock.now()), account.pace);
    if (account.lease && units !== undefined) asks.push(account.lease.ask(units, clock));
    else if (account.lease?.isKnown) asks.push(account.lease.returnUnits(clock));
    return asks.map((ask) => askOf(account, ask));
  };

  const granted = (account: Account, { wanted, spent }: LeaseState, grant: LeaseGrant) => {
    account.lease?.granted(grant);
    if (grant.granted >= wanted) return;
    const pauseMs = Math.min(scarcePauseMs, grant.periodRestMs);
    account.lendable = { units: grant.granted - spent, untilMs: clock.monotonicMs() + pauseMs };
  };

  const apply = (account: Account, ask: LeaseState, grant: LeaseGrant | undefined) => {
    if (grant?.outcome === LeaseOutcome.GRANTED) granted(account, ask, grant);
    else {
      replaceLease(account);
      const isScarce = grant !== undefined && account.included[account.unit] - grant.taken < scarceUnits;
      account.directUntilMs =
        clock.monotonicMs() + (isScarce ? Math.min(scarcePauseMs, grant.periodRestMs) : directPauseMs);
    }
  };

  /** The plan changed during the call. The lease grants units of the previous plan's allowance and has to end. */
  const endReplaced = (account: Account, lease: Lease | undefined, grant: LeaseGrant | undefined) => {
    if (!lease || grant?.outcome !== LeaseOutcome.GRANTED) return;
    lease.granted(grant);
    account.ended ??= lease;
  };

  /** Whether Reserve decides about a charge of this amount. */
  const isDirect = ({ directUntilMs, lendable }: Account, amount: number) => {
    const nowMs = clock.monotonicMs();
    return nowMs < directUntilMs || (amount > lendable.units && nowMs < lendable.untilMs);
  };

  const run = async (items: Waiting[]): Promise<(LeasedCharge | undefined)[]> => {
    // The previous call may have failed, or may have granted nothing.
    const isAsked = ({ account, amount, deadline }: Waiting) =>
      !isOff() && (!deadline || (!isDirect(account, amount) && !deadline.expired));
    const askedFor = new Set(items.filter(isAsked));
    const byAccount = Map.groupBy(askedFor, ({ account }) => account);
    if (byAccount.size === 0) return items.map(() => undefined);
    const asked = [...byAccount].map(([account, waiting]) => {
      const units = waiting.reduce((sum, { amount }) => sum + amount, 0);
      const isMore = units > 0 || waiting.some(({ renews }) => renews);
      const asks = asksOf(account, isMore ? units : undefined);
      return { account, units, asks, lease: account.lease };
    });
    for (const { account } of asked) holding.add(account);
    scheduleUpkeep();
    try {
      const call = { gatewayId, asks: asked.flatMap(({ asks }) => asks) };
      // The deadline of a caller is not used: the call serves the lease, whichever request waits.
      const grants = await metering.leaseAllowance(call, createDeadline(callTimeoutMs, { clock }));
      let answered = 0;
      for (const { account, asks, units, lease } of asked) {
        answered += asks.length;
        const ask = asks.at(-1);
        if (!ask) continue;
        // The last ask is for the current lease.
        const grant = grants[answered - 1];
        if (account.lease !== lease) endReplaced(account, lease, grant);
        else if (units > 0) apply(account, ask, grant);
        else if (grant?.outcome === LeaseOutcome.GRANTED) granted(account, ask, grant);
        else if (!account.lease?.isKnown) replaceLease(account);
      }
    } catch {
      offUntilMs = clock.monotonicMs() + directPauseMs;
      for (const { account } of asked) if (!account.lease?.isKnown) replaceLease(account);
    }
    return items.map((item) => {
      const { account, amount, deadline } = item;
      return deadline && askedFor.has(item) && !deadline.expired ? account.lease?.spend(amount, clock) : undefined;
    });
  };

  const charges = createKeyedBatcher<Waiting, LeasedCharge | undefined>({
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize,
    run,
    clock,
  });

  /** One renewal runs at a time. Otherwise a slow metering would get one ask per {@link upkeepMs}. */
  const renew = (account: Account) => {
    if (account.isRenewing) return;
    account.isRenewing = true;
    const ended = () => {
      account.isRenewing = false;
    };
    charges.submit({ account, amount: 0, renews: true }).then(ended, ended);
  };

  /** Returns the units that leases may no longer spend, and asks for more units for the leases that are running out. */
  const scheduleUpkeep = () => {
    cancelUpkeep ??= clock.after(upkeepMs, () => {
      cancelUpkeep = undefined;
      for (const account of holding) {
        const { lease, ended } = account;
        const isUsable = !ended && lease?.isUsable(clock);
        if (isUsable && lease?.isRunningOut(2 * upkeepMs, clock)) {
          renew(account);
          continue;
        }
        if (isUsable && lease?.holdsUnits) continue;
        holding.delete(account);
        if (ended || lease?.holdsUnits) charges.submit({ account, amount: 0 }).catch(() => {});
      }
      if (holding.size > 0) scheduleUpkeep();
    });
  };

  return {
    /** Resolves to a charge of one billing unit, or to undefined if Reserve has to decide. Rejects with the deadline's error. */
    async charge({
      caller,
      deadline,
      unit,
      amount,
    }: Pick<ChargeRequest, 'caller' | 'deadline'> & LeasedAmount): Promise<LeasedCharge | undefined> {
      if (isOff()) return undefined;
      const account = accountOf(caller, unit);
      if (isDirect(account, amount)) return undefined;
      const held = account.lease?.spend(amount, clock);
      if (held) return held;
      const charged = await charges.submit({ account, amount, deadline }, deadline);
      // Reserve may need the units that were lent for this charge but are too few for it.
      if (!charged && isDirect(account, amount) && account.lease?.holdsUnits) {
        await charges.submit({ account, amount: 0 }, deadline).catch(() => {});
      }
      return charged;
    },
    /** Ends all leases. Reserve decides about later charges. */
    async stop(): Promise<void> {
      offUntilMs = Number.POSITIVE_INFINITY;
      cancelUpkeep?.();
      cancelUpkeep = undefined;
      holding.clear();
      const held = [...accounts.values()].flatMap((account) =>
        [account.lease, account.ended].flatMap((one) =>
          one?.isKnown ? [askOf(account, one.returnUnits(clock, { final: true }))] : [],
        ),
      );
      accounts.clear();
      const deadline = createDeadline(stopTimeoutMs, { clock });
      for (let start = 0; start < held.length; start += maxAsksPerCall) {
        const asks = held.slice(start, start + maxAsksPerCall);
        // A lease whose end is not reported to metering ends by itself.
        await metering.leaseAllowance({ gatewayId, asks }, deadline).catch(() => {});
      }
    },
  };
}
