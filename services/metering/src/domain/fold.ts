import { type Attempt, applyEvent, type EventKind } from './attempt.ts';
import { attemptKey, type LedgerEntry } from './ledger-entry.ts';
import { periodName } from './period.ts';
import { add, firstExhaustedUnit, isZero, noUnits, type Units } from './units.ts';

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
}

/** The change of one counter. `keyId` is '' for the counter of the workspace. */
export interface CounterDelta {
  workspaceId: string;
  periodStartMs: number;
  keyId: string;
  units: Units;
}

export interface Folded {
  entries: LedgerEntry[];
  /** Changes of the counters of workspaces and keys. */
  used: CounterDelta[];
  taken: CounterDelta[];
  /** Attempts that changed, in their new state. */
  changed: Attempt[];
  /** Events that arrived after the return of their reservation. */
  late: { counted: number; refused: number };
}

export interface AllowanceState {
  taken: Units;
  included: Units;
}

export const allowanceKey = (workspaceId: string, periodStartMs: number): string =>
  `${workspaceId}/${periodName(periodStartMs)}`;

/**
 * Folds events, in order, into the changes of ledger, counters and allowances. `attempts` has every attempt of the events
 * in its state of the ledger. `allowances` has the allowances of returned attempts.
 */
export function foldEvents(
  events: readonly UsageEvent[],
  attempts: ReadonlyMap<string, Attempt>,
  allowances: ReadonlyMap<string, AllowanceState>,
  recordedAtMs: number,
): Folded {
  const changed = new Map<string, Attempt>();
  const used = new Map<string, CounterDelta>();
  const taken = new Map<string, CounterDelta>();
  const folded: Folded = { entries: [], used: [], taken: [], changed: [], late: { counted: 0, refused: 0 } };
  const nameOf = periodNames();

  for (const event of events) {
    const key = attemptKey(event.chargeId, event.attempt);
    const attempt = changed.get(key) ?? attempts.get(key);
    if (!attempt) throw new Error(`attempt ${key} was not loaded`);
    const allowance = `${attempt.workspaceId}/${nameOf(attempt.periodStartMs)}`;
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
    changed.set(key, transition.after);
    const { workspaceId, keyId, periodStartMs } = attempt;
    folded.entries.push({
      chargeId: attempt.chargeId,
      attempt: attempt.number,
      sequence: transition.sequence,
      kind: transition.kind,
      units: transition.used,
      workspaceId,
      keyId,
      periodStartMs,
      operation: event.operation,
      occurredAtMs: event.occurredAtMs,
      recordedAtMs,
    });
    addDelta(used, allowance, { workspaceId, periodStartMs, keyId: '', units: transition.used });
    addDelta(used, `${allowance}/${keyId}`, { workspaceId, periodStartMs, keyId, units: transition.used });
    addDelta(taken, allowance, { workspaceId, periodStartMs, keyId: '', units: transition.taken });
  }
  folded.used = [...used.values()];
  folded.taken = [...taken.values()];
  folded.changed = [...changed.values()];
  return folded;
}

/** Caches the names of periods: a thousand events have one or two distinct ones. */
function periodNames(): (startMs: number) => string {
  const names = new Map<number, string>();
  return (startMs) => {
    const name = names.get(startMs) ?? periodName(startMs);
    names.set(startMs, name);
    return name;
  };
}

function addDelta(deltas: Map<string, CounterDelta>, key: string, delta: CounterDelta): void {
  if (isZero(delta.units)) return;
  const existing = deltas.get(key);
  if (existing) existing.units = add(existing.units, delta.units);
  else deltas.set(key, delta);
}
