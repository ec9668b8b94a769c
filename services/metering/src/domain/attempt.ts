import { noUnits, type Units } from '@shopscope/proto';
import { add, subtract } from './units.ts';

/**
 * The state machine of one attempt of a charge. An attempt is an append-only list of ledger entries, numbered from 1. The kind of
 * its last entry determines its state.
 *
 *   open      --count--> counted    --void--> reversed
 *   open      --void-->  voided
 *   open      --return-> returned   --count--> counted (if the allowance has the units left) | voided
 *                        returned   --void-->  voided
 *
 * - Every other event changes nothing: a duplicate, an event of a voided attempt, a second void.
 * - An attempt is confirmed when a retry has got it as its response. A void of a confirmed attempt that is counted changes nothing.
 * - Concurrency: entry ids (charge, attempt, number) are unique, so only one of several concurrent decisions is stored.
 */
export type EntryKind = 'charge' | 'void' | 'return' | 'reversal';
export type AttemptState = 'open' | 'counted' | 'voided' | 'returned' | 'reversed';
/** An event of an attempt: its usage event bills it, a void ends it, or the sweeper returns its reservation. */
export type EventKind = 'count' | 'void' | 'return';

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
  /** Whether a retry got this attempt as its response. A confirmed attempt that is counted can no longer be reversed. */
  confirmed: boolean;
  /** The number of its ledger entries. */
  entries: number;
  /** The units of the allowance that the attempt takes now: its reserved units while it is open, its counted units afterwards. */
  taken: Units;
  /** The units of the usage that the attempt accounts for now. */
  used: Units;
  /** First instant of the UTC day to which its units belong, or belonged before a reversal. Undefined if no day is recorded. */
  dayStartMs: number | undefined;
}

export interface Transition {
  kind: EntryKind;
  /** The number of the entry within the attempt. */
  sequence: number;
  /** The change of the usage. It is negative for a reversal. */
  used: Units;
  /** The change of the taken units. */
  taken: Units;
  after: Attempt;
}

/**
 * Returns the entry that an event appends, or undefined if the event changes nothing. `hasRoom` returns whether the
 * allowance has the units left. It is called for a usage event that arrives after the return of its reservation.
 */
export function applyEvent(
  attempt: Attempt,
  event: EventKind,
  units: Units,
  hasRoom: () => boolean,
): Transition | undefined {
  const kind = nextEntryKind(attempt, event, hasRoom);
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

function nextEntryKind(attempt: Attempt, event: EventKind, hasRoom: () => boolean): EntryKind | undefined {
  switch (attempt.state) {
    case 'open':
      return event === 'count' ? 'charge' : event;
    case 'counted':
      return event === 'void' && !attempt.confirmed ? 'reversal' : undefined;
    case 'returned':
      if (event === 'count') return hasRoom() ? 'charge' : 'void';
      return event === 'void' ? 'void' : undefined;
    case 'voided':
    case 'reversed':
      return undefined;
  }
}

/** Returns an attempt from its entries, oldest first. `reserved` are the units that it holds while it has no entry. */
export function attemptOf(
  identity: Pick<Attempt, 'chargeId' | 'number' | 'workspaceId' | 'keyId' | 'periodStartMs'>,
  entries: readonly { kind: EntryKind; units: Units; dayStartMs?: number | undefined }[],
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
    dayStartMs: entries.find(({ kind }) => kind === 'charge')?.dayStartMs,
  };
}
