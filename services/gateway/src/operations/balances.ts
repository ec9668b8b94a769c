import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Balance } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Caller } from '../domain/caller.ts';
import { remainingOf } from '../domain/charge.ts';
import type { MeteringPeer } from '../outbound/grpc/metering.ts';

/**
 * What X-Usage-Remaining tells on answers that bill nothing. A workspace's balance is at most 2 s old; a missing one is
 * asked for with a short bound, and once that failed, nobody waits for that workspace's for a second: its last known
 * one of the period is told, or the header left out, rather than an answer delayed. Bounded; the oldest workspace is
 * forgotten first.
 */
export interface Balances {
  /** A balance that came by with another answer. */
  note(workspaceId: string, balance: Balance): void;
  /** lookup_cached units left, or undefined when that is not known in time. */
  remaining(caller: Caller, origin: Origin): number | undefined | Promise<number | undefined>;
}

export interface BalancesOptions {
  metering: Pick<MeteringPeer, 'getBalance'>;
  clock: Clock;
  maxWorkspaces?: number;
}

const freshMs = 2_000;
const waitMs = 150;
const pauseAfterFailureMs = 1_000;

export function createBalances({ metering, clock, maxWorkspaces = 20_000 }: BalancesOptions): Balances {
  const known = new Map<string, { balance: Balance; atMs: number }>();
  const silentUntilMs = new Map<string, number>();

  const note = (workspaceId: string, balance: Balance) => {
    silentUntilMs.delete(workspaceId);
    setBounded(known, workspaceId, { balance, atMs: clock.monotonicMs() }, maxWorkspaces);
  };
  const left = ({ plan }: Caller, balance: Balance) => remainingOf(plan.included.lookupCached, balance);

  const lastKnown = (caller: Caller) => {
    const balance = known.get(caller.workspaceId)?.balance;
    return balance && clock.now() < balance.periodEndMs ? left(caller, balance) : undefined;
  };

  const ask = async (caller: Caller, origin: Origin): Promise<number | undefined> => {
    try {
      const balance = await metering.getBalance(caller.workspaceId, origin, createDeadline(waitMs, { clock }));
      note(caller.workspaceId, balance);
      return left(caller, balance);
    } catch {
      setBounded(silentUntilMs, caller.workspaceId, clock.monotonicMs() + pauseAfterFailureMs, maxWorkspaces);
      return lastKnown(caller);
    }
  };

  return {
    note,
    remaining(caller, origin) {
      const nowMs = clock.monotonicMs();
      const entry = known.get(caller.workspaceId);
      if (entry && nowMs - entry.atMs < freshMs && clock.now() < entry.balance.periodEndMs) {
        return left(caller, entry.balance);
      }
      return nowMs < (silentUntilMs.get(caller.workspaceId) ?? 0) ? lastKnown(caller) : ask(caller, origin);
    },
  };
}

function setBounded<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
