import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Balance } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/caller.ts';
import { remainingUnits } from '../../domain/charge.ts';
import type { MeteringPeer } from '../grpc/metering.ts';

/**
 * A cache of balances, for X-Usage-Remaining on answers that bill nothing.
 *
 * - A balance is at most 2 s old; then metering is asked, with a deadline of 150 ms.
 * - Metering fails -> it is not asked for that workspace for a second. Answers tell the last known balance of the period, or
 *   leave the header out. No answer is delayed for longer than the deadline.
 * - Bound: `maxWorkspaces`; the least recently used one is dropped first.
 */
export interface Balances {
  /** A balance that came with another answer. */
  note(workspaceId: string, balance: Balance): void;
  /** lookup_cached units left, or undefined when that is not known in time. */
  remaining(caller: Caller, origin: Origin): number | undefined | Promise<number | undefined>;
}

export interface BalancesOptions {
  metering: Pick<MeteringPeer, 'getBalance'>;
  clock: Clock;
  maxWorkspaces?: number;
}

/** Instants are of the injected clock, so the cache needs no time of its own. */
interface Entry {
  balance: Balance | undefined;
  freshUntilMs: number;
  /** After a failure. */
  askAgainMs: number;
}

const freshMs = 2_000;
const timeoutMs = 150;
const pauseAfterFailureMs = 1_000;
const past = Number.NEGATIVE_INFINITY;
const unknown: Entry = { balance: undefined, freshUntilMs: past, askAgainMs: past };

export function createBalances({ metering, clock, maxWorkspaces = 20_000 }: BalancesOptions): Balances {
  const entries = new LRUCache<string, Entry>({ max: maxWorkspaces });

  const note = (workspaceId: string, balance: Balance) => {
    entries.set(workspaceId, { balance, freshUntilMs: clock.monotonicMs() + freshMs, askAgainMs: past });
  };
  const left = ({ plan }: Caller, balance: Balance | undefined) =>
    balance && clock.now() < balance.periodEndMs ? remainingUnits(plan.included.lookupCached, balance) : undefined;

  const ask = async (caller: Caller, origin: Origin): Promise<number | undefined> => {
    const { workspaceId } = caller;
    try {
      const balance = await metering.getBalance(workspaceId, origin, createDeadline(timeoutMs, { clock }));
      note(workspaceId, balance);
      return remainingUnits(caller.plan.included.lookupCached, balance);
    } catch {
      const entry = entries.get(workspaceId) ?? unknown;
      entries.set(workspaceId, { ...entry, askAgainMs: clock.monotonicMs() + pauseAfterFailureMs });
      return left(caller, entry.balance);
    }
  };

  return {
    note,
    remaining(caller, origin) {
      const entry = entries.get(caller.workspaceId);
      if (!entry) return ask(caller, origin);
      const nowMs = clock.monotonicMs();
      const known = left(caller, entry.balance);
      if (nowMs < entry.askAgainMs || (nowMs < entry.freshUntilMs && known !== undefined)) return known;
      return ask(caller, origin);
    },
  };
}
