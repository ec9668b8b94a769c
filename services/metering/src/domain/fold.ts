import { type Attempt, type Signal, step } from './attempt.ts';
import { attemptKey, type LedgerEntry } from './ledger-entry.ts';
import { periodName } from './period.ts';
import { add, isZero, noUnits, type Units, unitThatDoesNotFit } from './units.ts';

/** Something that happened to an attempt, as an event, an RPC or the sweeper reports it. */
export interface UsageSignal {
  signal: Signal;
  chargeId: string;
  attempt: number;
  workspaceId: string;
  keyId: string;
  units: Units;
  periodStartMs: number;
  operation: string;
  occurredAtMs: number;
}

/** Usage that one counter gains. `keyId` is '' for the workspace's own. */
export interface CounterDelta {
  workspaceId: string;
  periodStartMs: number;
  keyId: string;
  units: Units;
}

export interface Folded {
  entries: LedgerEntry[];
  /** Of the workspace's counters and of its keys'. */
  used: CounterDelta[];
  taken: CounterDelta[];
  /** Attempts that changed, as they are now. */
  changed: Attempt[];
  /** Events that came after their reservation was given back. */
  late: { counted: number; refused: number };
}

export interface AllowanceState {
  taken: Units;
  included: Units;
}

export const allowanceKey = (workspaceId: string, periodStartMs: number): string =>
  `${workspaceId}/${periodName(periodStartMs)}`;

/**
 * Folds signals, in order, into the entries, counters and allowances that they change. `attempts` holds every attempt
 * that a signal names, as the ledger has it; `allowances` those of attempts that were given back.
 */
export function foldSignals(
  signals: readonly UsageSignal[],
  attempts: ReadonlyMap<string, Attempt>,
  allowances: ReadonlyMap<string, AllowanceState>,
  recordedAtMs: number,
): Folded {
  const changed = new Map<string, Attempt>();
  const used = new Map<string, CounterDelta>();
  const taken = new Map<string, CounterDelta>();
  const folded: Folded = { entries: [], used: [], taken: [], changed: [], late: { counted: 0, refused: 0 } };
  const nameOf = periodNames();

  for (const signal of signals) {
    const key = attemptKey(signal.chargeId, signal.attempt);
    const attempt = changed.get(key) ?? attempts.get(key);
    if (!attempt) throw new Error(`attempt ${key} was not loaded`);
    const allowance = `${attempt.workspaceId}/${nameOf(attempt.periodStartMs)}`;
    const hasRoom = () => {
      const state = allowances.get(allowance);
      const already = add(state?.taken ?? noUnits, taken.get(allowance)?.units ?? noUnits);
      return state !== undefined && unitThatDoesNotFit(already, signal.units, state.included) === undefined;
    };
    const made = step(attempt, signal.signal, signal.units, hasRoom);
    if (!made) continue;
    if (attempt.state === 'returned' && signal.signal === 'count') {
      folded.late[made.kind === 'charge' ? 'counted' : 'refused'] += 1;
    }
    changed.set(key, made.after);
    const { workspaceId, keyId, periodStartMs } = attempt;
    folded.entries.push({
      chargeId: attempt.chargeId,
      attempt: attempt.number,
      sequence: made.sequence,
      kind: made.kind,
      units: made.used,
      workspaceId,
      keyId,
      periodStartMs,
      operation: signal.operation,
      occurredAtMs: signal.occurredAtMs,
      recordedAtMs,
    });
    gain(used, allowance, { workspaceId, periodStartMs, keyId: '', units: made.used });
    gain(used, `${allowance}/${keyId}`, { workspaceId, periodStartMs, keyId, units: made.used });
    gain(taken, allowance, { workspaceId, periodStartMs, keyId: '', units: made.taken });
  }
  folded.used = [...used.values()];
  folded.taken = [...taken.values()];
  folded.changed = [...changed.values()];
  return folded;
}

/** Names of periods; a thousand events have one or two of them. */
function periodNames(): (startMs: number) => string {
  const names = new Map<number, string>();
  return (startMs) => {
    const name = names.get(startMs) ?? periodName(startMs);
    names.set(startMs, name);
    return name;
  };
}

function gain(deltas: Map<string, CounterDelta>, key: string, delta: CounterDelta): void {
  if (isZero(delta.units)) return;
  const existing = deltas.get(key);
  if (existing) existing.units = add(existing.units, delta.units);
  else deltas.set(key, delta);
}
