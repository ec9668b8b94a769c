import { add, noUnits, subtract, type Units } from './units.ts';

/**
 * One attempt of a charge as a small append-only log: its ledger entries, numbered from 1. The kind of the last entry is
 * its state, so the ledger alone says whether an attempt counts, and the unique id of an entry (charge, attempt, number)
 * lets only one of several concurrent decisions stand.
 *
 *   open      --count--> counted    --void--> reversed
 *   open      --void-->  voided
 *   open      --return-> returned   --count--> counted (while the allowance holds it) | voided
 *                        returned   --void-->  voided
 *
 * Everything else changes nothing: duplicates, events of voided attempts, second voids, and the void of a counted attempt
 * that a retry has been answered with (its first execution lost the lock late, and the retry's answer stands).
 */
export type EntryKind = 'charge' | 'void' | 'return' | 'reversal';
export type AttemptState = 'open' | 'counted' | 'voided' | 'returned' | 'reversed';
export type Signal = 'count' | 'void' | 'return';

export const stateAfter: Readonly<Record<EntryKind, AttemptState>> = {
  charge: 'counted',
  void: 'voided',
  return: 'returned',
  reversal: 'reversed',
};

export interface Attempt {
  chargeId: string;
  number: number;
  workspaceId: string;
  keyId: string;
  periodStartMs: number;
  state: AttemptState;
  /** A retry was answered with it: once counted, it is no longer reversed. */
  confirmed: boolean;
  /** How many ledger entries it has. */
  entries: number;
  /** What it takes from the allowance now: the reserved units while open, the counted ones afterwards. */
  taken: Units;
  /** What it adds to usage now. */
  used: Units;
}

export interface Step {
  kind: EntryKind;
  /** Number of the entry within the attempt. */
  sequence: number;
  /** What the entry adds to usage; negative for a reversal. */
  used: Units;
  /** What changes of the allowance taken. */
  taken: Units;
  after: Attempt;
}

/**
 * The entry that `signal` appends, or undefined when it changes nothing. `hasRoom` tells whether the allowance still
 * holds the units of an event that comes after its reservation was given back.
 */
export function step(attempt: Attempt, signal: Signal, units: Units, hasRoom: () => boolean): Step | undefined {
  const kind = nextKind(attempt, signal, hasRoom);
  if (!kind) return undefined;
  const now = kind === 'charge' ? units : noUnits;
  const after: Attempt = {
    ...attempt,
    state: stateAfter[kind],
    entries: attempt.entries + 1,
    taken: now,
    used: now,
  };
  return {
    kind,
    sequence: after.entries,
    used: subtract(after.used, attempt.used),
    taken: subtract(after.taken, attempt.taken),
    after,
  };
}

function nextKind(attempt: Attempt, signal: Signal, hasRoom: () => boolean): EntryKind | undefined {
  switch (attempt.state) {
    case 'open':
      return signal === 'count' ? 'charge' : signal;
    case 'counted':
      return signal === 'void' && !attempt.confirmed ? 'reversal' : undefined;
    case 'returned':
      if (signal === 'count') return hasRoom() ? 'charge' : 'void';
      return signal === 'void' ? 'void' : undefined;
    case 'voided':
    case 'reversed':
      return undefined;
  }
}

/** An attempt's entries, oldest first, as an attempt. `reserved` is what its reservation holds while no entry ended it. */
export function attemptOf(
  identity: Pick<Attempt, 'chargeId' | 'number' | 'workspaceId' | 'keyId' | 'periodStartMs'>,
  entries: readonly { kind: EntryKind; units: Units }[],
  reserved: Units,
  confirmed = false,
): Attempt {
  const last = entries.at(-1);
  const used = entries.reduce((sum, entry) => add(sum, entry.units), noUnits);
  return {
    ...identity,
    state: last ? stateAfter[last.kind] : 'open',
    confirmed,
    entries: entries.length,
    taken: last ? used : reserved,
    used,
  };
}
