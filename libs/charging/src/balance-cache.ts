import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { type Balance, type UnitKey, unitKeys } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import type { Payer } from './caller-request.ts';
import { remainingUnits } from './charge.ts';
import type { MeteringClient } from './metering-client.ts';

/**
 * Caches balances, for X-Usage-Remaining on responses that bill nothing, and for forecasts.
 *
 * - Freshness: a balance is used for 2 s. After that, metering is called, with a deadline of 150 ms.
 * - Metering fails -> it is not called for that unit of the workspace for one second. The last balance of the period is used. Without
 *   one, the response does not have X-Usage-Remaining. No response is delayed for longer than 150 ms.
 * - Units: each unit has a balance of its own, because a lease knows only the balance of the unit that it lends.
 * - Bound: `maxWorkspaces` with all units. The unit of a workspace that was used least recently is dropped first.
 */
export type BalanceCache = ReturnType<typeof createBalanceCache>;

export interface BalanceCacheOptions {
  metering: Pick<MeteringClient, 'getBalance'>;
  clock: Clock;
  maxWorkspaces?: number;
}

/** The instants are times of the injected monotonic clock. */
interface Entry {
  balance: Balance | undefined;
  freshUntilMs: number;
  /** After a failure, no call is made before this instant. */
  retryAtMs: number;
}

const freshMs = 2_000;
const timeoutMs = 150;
const pauseAfterFailureMs = 1_000;
const past = Number.NEGATIVE_INFINITY;
const unknown: Entry = { balance: undefined, freshUntilMs: past, retryAtMs: past };

export function createBalanceCache({ metering, clock, maxWorkspaces = 20_000 }: BalanceCacheOptions) {
  const entries = new LRUCache<string, Entry>({ max: maxWorkspaces * unitKeys.length });
  const keyOf = (workspaceId: string, unit: UnitKey) => `${workspaceId} ${unit}`;

  const put = (workspaceId: string, balance: Balance, units: readonly UnitKey[] = unitKeys) => {
    const entry = { balance, freshUntilMs: clock.monotonicMs() + freshMs, retryAtMs: past };
    for (const unit of units) entries.set(keyOf(workspaceId, unit), entry);
  };
  const left = ({ plan }: Payer, balance: Balance | undefined, unit: UnitKey) =>
    balance && clock.now() < balance.periodEndMs ? remainingUnits(plan.included[unit], balance, unit) : undefined;

  const fetchBalance = async (caller: Payer, origin: Origin, unit: UnitKey): Promise<number | undefined> => {
    const { workspaceId } = caller;
    try {
      const balance = await metering.getBalance(workspaceId, origin, createDeadline(timeoutMs, { clock }));
      put(workspaceId, balance);
      return remainingUnits(caller.plan.included[unit], balance, unit);
    } catch {
      const key = keyOf(workspaceId, unit);
      const entry = entries.get(key) ?? unknown;
      entries.set(key, { ...entry, retryAtMs: clock.monotonicMs() + pauseAfterFailureMs });
      return left(caller, entry.balance, unit);
    }
  };

  return {
    /** Stores a balance that another call of metering returned. `units`: the units that it counts. Default: all. */
    put,
    /** The next look-up calls metering. */
    drop(workspaceId: string): void {
      for (const unit of unitKeys) entries.delete(keyOf(workspaceId, unit));
    },
    /** The number of units left, or undefined if metering does not respond in time. */
    remaining(
      caller: Payer,
      origin: Origin,
      unit: UnitKey = 'lookupCached',
    ): number | undefined | Promise<number | undefined> {
      const entry = entries.get(keyOf(caller.workspaceId, unit));
      if (!entry) return fetchBalance(caller, origin, unit);
      const nowMs = clock.monotonicMs();
      const known = left(caller, entry.balance, unit);
      if (nowMs < entry.retryAtMs || (nowMs < entry.freshUntilMs && known !== undefined)) return known;
      return fetchBalance(caller, origin, unit);
    },
  };
}
