import { type Period, periodAt } from '@shopscope/clock';
import { isZero, leasedOf, noUnits, type Units } from '@shopscope/proto';
import { type Attempt, applyEvent, type EventKind } from './attempt.ts';
import { dayWithin } from './day.ts';
import type { KeyUsage } from './key-usage.ts';
import { leaseCountKey } from './lease.ts';
import { attemptKey, entryOf, type LedgerEntry } from './ledger-entry.ts';
import { periodName } from './period.ts';
import { add, firstExhaustedUnit } from './units.ts';

/** An event of one attempt: from usage.v1, from RecordUsage or VoidCharge, or from the sweeper. */
export interface UsageEvent {
  kind: EventKind;
  chargeId: string;
  attempt: number;
  workspaceId: string;
  keyId: string;
  units: Units;
  periodStartMs: number;
  operation: string;
  occurredAtMs: number;
  /** The lease that pays for the charge. It is '' if Reserve granted the charge. */
  leaseId: string;
}

/** The change of the units that a workspace has taken of an allowance. */
export interface AllowanceDelta {
  workspaceId: string;
  periodStartMs: number;
  units: Units;
}

/** One usage counter. `keyId` is '' for the counter of the workspace. */
export interface CounterOf {
  workspaceId: string;
  periodStartMs: number;
  keyId: string;
}

/** The change of one usage counter. The counter of a workspace has no days. */
export type CounterDelta = CounterOf & KeyUsage;

export interface Folded {
  entries: LedgerEntry[];
  /** Changes of the counters of workspaces and keys. */
  used: CounterDelta[];
  taken: AllowanceDelta[];
  /** The units of each lease that the events settle, by {@link leaseCountKey}. */
  settled: Map<string, number>;
  /** The attempts that changed, in their new states. */
  changed: Attempt[];
  /** The numbers of usage events that arrived after the return of their reservation. */
  late: { counted: number; refused: number };
}

export interface AllowanceState {
  taken: Units;
  included: Units;
  /** What SetTestAllowance has added to the taken units. It may be negative. In the live environment it is zero. */
  adjustment: Units;
}

export const allowanceKey = (workspaceId: string, periodStartMs: number): string =>
  `${workspaceId}/${periodName(periodStartMs)}`;

/**
 * Folds events, in order, into the changes of ledger, counters and allowances. `attempts` contains every attempt of the
 * events, in the state that the ledger gives it. `allowances` contains the allowances of returned attempts.
 */
export function foldEvents(
  events: readonly UsageEvent[],
  attempts: ReadonlyMap<string, Attempt>,
  allowances: ReadonlyMap<string, AllowanceState>,
  recordedAtMs: number,
): Folded {
  const changed = new Map<string, Attempt>();
  const used = new Map<string, CounterSum>();
  const taken = new Map<string, AllowanceDelta>();
  const folded: Folded = {
    entries: [],
    used: [],
    taken: [],
    settled: new Map(),
    changed: [],
    late: { counted: 0, refused: 0 },
  };
  const periodOf = periods();

  for (const event of events) {
    const key = attemptKey(event.chargeId, event.attempt);
    const attempt = changed.get(key) ?? attempts.get(key);
    if (!attempt) throw new Error(`attempt ${key} was not loaded`);
    const period = periodOf(attempt.periodStartMs);
    const allowance = `${attempt.workspaceId}/${period.name}`;
    const hasRoom = () => {
      const state = allowances.get(allowance);
      const already = add(state?.taken ?? noUnits, taken.get(allowance)?.units ?? noUnits);
      return state !== undefined && firstExhaustedUnit(already, event.units, state.included) === undefined;
    };
    const transition = applyEvent(attempt, event.kind, event.units, hasRoom);
    if (!transition) continue;
    if (attempt.state === 'returned' && event.kind === 'count') {
      folded.late[transition.kind === 'charge' ? 'counted' : 'refused'] += 1;
    }
    // Only the event determines the day. A replay therefore finds the same day.
    const after =
      transition.kind === 'charge'
        ? { ...transition.after, dayStartMs: dayWithin(period, event.occurredAtMs) }
        : transition.after;
    if (event.leaseId !== '' && attempt.state === 'open') {
      const lease = leaseCountKey(allowance, event.leaseId);
      folded.settled.set(lease, (folded.settled.get(lease) ?? 0) + (leasedOf(attempt.taken)?.amount ?? 0));
    }
    changed.set(key, after);
    const { workspaceId, keyId, periodStartMs, dayStartMs } = after;
    const { operation, occurredAtMs } = event;
    folded.entries.push(entryOf({ ...transition, after }, { operation, occurredAtMs, recordedAtMs }));
    addUsed(used, `${allowance}/`, { workspaceId, periodStartMs, keyId: '' }, transition.used);
    addUsed(used, `${allowance}/${keyId}`, { workspaceId, periodStartMs, keyId }, transition.used, dayStartMs);
    addTaken(taken, allowance, { workspaceId, periodStartMs, units: transition.taken });
  }
  folded.used = [...used.values()];
  folded.taken = [...taken.values()];
  folded.changed = [...changed.values()];
  return folded;
}

/** Caches periods with their names, because a thousand events have one or two distinct periods. */
function periods(): (startMs: number) => Period & { name: string } {
  const known = new Map<number, Period & { name: string }>();
  return (startMs) => {
    const period = known.get(startMs) ?? { ...periodAt(startMs), name: periodName(startMs) };
    known.set(startMs, period);
    return period;
  };
}

type CounterSum = CounterOf & { used: Units; days: Map<number, Units> };

function addUsed(
  sums: Map<string, CounterSum>,
  key: string,
  counter: CounterOf,
  units: Units,
  dayStartMs?: number,
): void {
  if (isZero(units)) return;
  const sum = sums.get(key) ?? { ...counter, used: noUnits, days: new Map<number, Units>() };
  sum.used = add(sum.used, units);
  if (dayStartMs !== undefined) sum.days.set(dayStartMs, add(sum.days.get(dayStartMs) ?? noUnits, units));
  sums.set(key, sum);
}

function addTaken(deltas: Map<string, AllowanceDelta>, key: string, delta: AllowanceDelta): void {
  if (isZero(delta.units)) return;
  const existing = deltas.get(key);
  if (existing) existing.units = add(existing.units, delta.units);
  else deltas.set(key, delta);
}
