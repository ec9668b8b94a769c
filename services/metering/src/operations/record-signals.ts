import type { Tx } from '@shopscope/mongo';
import { type Attempt, attemptOf } from '../domain/attempt.ts';
import type { Charge } from '../domain/charge.ts';
import { allowanceKey, type Folded, foldSignals, type UsageSignal } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { noUnits } from '../domain/units.ts';
import type { RecordedEntry } from '../outbound/mongo/ledger.ts';
import type { Dependencies } from './dependencies.ts';

export interface Recorded {
  folded: Folded;
  /** Charges without a record, or with one that is behind. */
  unknown: number;
}

/** Records signals of any kind in a transaction, by what charges and ledger say of their attempts. */
export async function recordSignals(deps: Dependencies, signals: readonly UsageSignal[], tx: Tx): Promise<Recorded> {
  const charges = await deps.charges.find([...new Set(signals.map(({ chargeId }) => chargeId))], tx);
  const overtaking = withOvertaken(signals, charges);
  const keys = [...new Set(overtaking.map(({ chargeId, attempt }) => attemptKey(chargeId, attempt)))];
  const entries = await deps.ledger.entriesOf(keys, tx);
  const all = overtaking.filter((signal) => {
    const [entry] = entries.get(attemptKey(signal.chargeId, signal.attempt)) ?? [];
    const owner = (charges.get(signal.chargeId) ?? entry)?.workspaceId;
    return isOwn(deps, signal, owner);
  });
  const attempts = new Map<string, Attempt>();
  for (const signal of all) {
    const key = attemptKey(signal.chargeId, signal.attempt);
    if (!attempts.has(key)) {
      attempts.set(key, identify(signal, charges.get(signal.chargeId), entries.get(key) ?? []));
    }
  }
  const returned = [...attempts.values()].filter(({ state }) => state === 'returned');
  const allowances = await deps.allowances.findMany(
    [...new Set(returned.map(({ workspaceId, periodStartMs }) => allowanceKey(workspaceId, periodStartMs)))],
    tx,
  );

  const folded = foldSignals(all, attempts, allowances, deps.clock.now());
  await writeFolded(deps, folded, tx);
  return { folded, unknown: await writeCharges(deps, folded, charges, tx) };
}

/** A charge's id names its workspace for good: what comes under it in another's name changes nothing of either. */
function isOwn({ logger }: Dependencies, signal: UsageSignal, owner: string | undefined): boolean {
  if (owner === undefined || owner === signal.workspaceId) return true;
  const { chargeId, workspaceId } = signal;
  logger.error({ chargeId, workspaceId, owner }, "a signal to another workspace's charge was not heard");
  return false;
}

export async function writeFolded(deps: Dependencies, folded: Folded, tx: Tx): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.ledger.insert(folded.entries, tx);
  await deps.counters.add(folded.used, nowMs, tx);
  await deps.allowances.add(folded.taken, nowMs, tx);
}

/**
 * A signal to an attempt later than the latest on record (the record was restored from a copy) ends the one on record
 * first, so that at most one counts.
 */
function withOvertaken(signals: readonly UsageSignal[], charges: ReadonlyMap<string, Charge>): UsageSignal[] {
  return signals.flatMap((signal) => {
    const charge = charges.get(signal.chargeId);
    if (!charge || charge.attempt >= signal.attempt || charge.sweepAtMs === null) return [signal];
    return [{ ...signal, signal: 'return', attempt: charge.attempt, units: noUnits }, signal];
  });
}

/** The attempt as the ledger has it; what the event itself says where there is no record. */
function identify(signal: UsageSignal, charge: Charge | undefined, entries: readonly RecordedEntry[]): Attempt {
  const known = charge?.attempt === signal.attempt ? charge : entries[0];
  const attempt = attemptOf(
    {
      chargeId: signal.chargeId,
      number: signal.attempt,
      workspaceId: known?.workspaceId ?? signal.workspaceId,
      keyId: known?.keyId ?? signal.keyId,
      periodStartMs: known?.periodStartMs ?? signal.periodStartMs,
    },
    entries,
    charge?.attempt === signal.attempt && charge.sweepAtMs !== null ? charge.units : noUnits,
    charge?.attempt === signal.attempt && charge.confirmed,
  );
  // An attempt that was followed by another has ended, whatever else is known of it.
  const isFollowed = charge !== undefined && charge.attempt > signal.attempt && entries.length === 0;
  return isFollowed ? { ...attempt, state: 'voided' } : attempt;
}

/**
 * Counting leaves the charge as it is. A void or return ends it; a charge without a record gets one, so that a Reserve
 * that comes later still opens the next attempt.
 */
async function writeCharges(
  deps: Dependencies,
  folded: Folded,
  charges: ReadonlyMap<string, Charge>,
  tx: Tx,
): Promise<number> {
  const nowMs = deps.clock.now();
  const latest = new Map<string, Attempt>();
  for (const attempt of folded.changed) {
    const other = latest.get(attempt.chargeId);
    if (!other || other.number < attempt.number) latest.set(attempt.chargeId, attempt);
  }
  const missing: Charge[] = [];
  const overtaken: { charge: Charge; before: number }[] = [];
  const ended: { chargeId: string; attempt: number }[] = [];
  for (const attempt of latest.values()) {
    const charge = charges.get(attempt.chargeId);
    const record = (): Charge => ({
      id: attempt.chargeId,
      workspaceId: attempt.workspaceId,
      keyId: attempt.keyId,
      fingerprint: charge?.fingerprint ?? '',
      firstSeenMs: charge?.firstSeenMs ?? nowMs,
      attempt: attempt.number,
      units: attempt.used,
      periodStartMs: attempt.periodStartMs,
      executionId: '',
      confirmed: false,
      sweepAtMs: null,
    });
    if (!charge) missing.push(record());
    else if (charge.attempt < attempt.number) overtaken.push({ charge: record(), before: charge.attempt });
    else if (charge.attempt === attempt.number && attempt.state !== 'counted') {
      // Written even when it is marked already: a retry that confirms the attempt at this moment collides here.
      ended.push({ chargeId: attempt.chargeId, attempt: attempt.number });
    }
  }
  await deps.charges.insert(missing, '', nowMs, tx);
  await deps.charges.replace(overtaken, '', nowMs, tx);
  await deps.charges.close(ended, nowMs, tx);
  return missing.length + overtaken.length;
}
