import type { Tx } from '@shopscope/mongo';
import { isZero, noUnits } from '@shopscope/proto';
import { type Attempt, attemptOf } from '../domain/attempt.ts';
import { type Charge, workspacesOf } from '../domain/charge.ts';
import { allowanceKey, type Folded, foldEvents, type UsageEvent } from '../domain/fold.ts';
import { attemptKey, type LedgerEntry } from '../domain/ledger-entry.ts';
import { netOf } from '../domain/refund.ts';
import type { AllowanceLimits } from '../domain/threshold.ts';
import { subtract } from '../domain/units.ts';
import type { EndedAttempt } from '../outbound/mongo/charges.ts';
import type { RecordedEntry } from '../outbound/mongo/ledger.ts';
import { isOwn } from './charge-owners.ts';
import type { Dependencies } from './dependencies.ts';
import { type Held, heldUnits, takeHeld } from './held-units.ts';
import { writeFolded } from './write-folded.ts';

export interface Recorded {
  folded: Folded;
  /** The number of charges without a record, or with a record of an earlier attempt. */
  unknown: number;
  /** The charges of leases that do not count, by {@link attemptKey}. */
  refused: ReadonlySet<string>;
}

/** Records events of any kind in a transaction. Charges and ledger determine the current state of the attempts. */
export async function recordAfterReading(
  deps: Dependencies,
  received: readonly UsageEvent[],
  tx: Tx,
): Promise<Recorded> {
  const leased = new Set(received.filter(({ leaseId }) => leaseId !== '').map(({ chargeId }) => chargeId));
  const recorded = received.map(({ chargeId }) => chargeId).filter((id) => !leased.has(id));
  const workspaceIds = workspacesOf(received);
  const charges = await deps.charges.find({ workspaceIds, ids: [...new Set(recorded)] }, tx);
  // Without leases every charge has a record, unless a reset came after the Reserve. Its usage then belongs to the data before the reset.
  const events = deps.generations ? received.filter(({ chargeId }) => charges.has(chargeId)) : received;
  const { held, limits } = await heldUnits(deps, events, tx);
  const withReturns = addReturnsOfOvertaken(events, charges);
  const keys = [...new Set(withReturns.map(({ chargeId, attempt }) => attemptKey(chargeId, attempt)))];
  const entries = await deps.ledger.entriesOf(keys, workspaceIds, tx);
  const all = withReturns.filter((event) => {
    const [entry] = entries.get(attemptKey(event.chargeId, event.attempt)) ?? [];
    const owner = (charges.get(event.chargeId) ?? entry)?.workspaceId;
    return isOwn(deps, event, owner);
  });
  const voided = new Set(
    all
      .filter(({ kind, leaseId }) => kind === 'void' && leaseId === '')
      .map(({ chargeId, attempt }) => attemptKey(chargeId, attempt)),
  );
  const attempts = new Map<string, Attempt>();
  for (const event of all) {
    const key = attemptKey(event.chargeId, event.attempt);
    if (!attempts.has(key)) {
      const charge = charges.get(event.chargeId);
      const attempt = currentAttempt(event, charge, entries.get(key) ?? []);
      // A reversal takes back the units that were not refunded.
      const net = voided.has(key) ? netOf(attempt, await refundedOf(deps, attempt, charge, tx)) : attempt;
      attempts.set(key, event.leaseId === '' ? net : leasedAttempt(event, attempt, held));
    }
  }
  const allowances = await deps.allowances.findMany(allowancesToRead(all, attempts, limits), tx);

  const folded = foldEvents(all, attempts, allowances, deps.clock.now());
  const ofAllowances = [...allowances].map(([key, { included, taken, adjustment }]) => {
    return [key, { included, taken: subtract(taken, adjustment) }] as const;
  });
  await writeFolded(deps, folded, Promise.resolve(new Map([...limits, ...ofAllowances])), tx);
  const changed = folded.changed.filter(({ chargeId }) => !leased.has(chargeId));
  await reopenRefunds(deps, folded.entries, charges, tx);
  const unknown = await writeCharges(deps, { changed }, charges, tx);
  return { folded, unknown, refused: refusedOf(leased, attempts, folded) };
}

/** Returns the allowances that decide late usage, and those of which units may be counted, unless they were read with their leases. */
function allowancesToRead(
  events: readonly UsageEvent[],
  attempts: ReadonlyMap<string, Attempt>,
  limits: ReadonlyMap<string, AllowanceLimits>,
): string[] {
  const keys = events.flatMap(({ kind, chargeId, attempt: number }) => {
    const attempt = attempts.get(attemptKey(chargeId, number));
    if (!attempt) return [];
    const key = allowanceKey(attempt.workspaceId, attempt.periodStartMs);
    const mayCount = kind === 'count' && attempt.state === 'open' && !limits.has(key);
    return mayCount || attempt.state === 'returned' ? [key] : [];
  });
  return [...new Set(keys)];
}

/** Returns the attempt with the units that its lease holds for it. A charge of a lease has no record. */
function leasedAttempt(event: UsageEvent, attempt: Attempt, held: ReadonlyMap<string, Held>): Attempt {
  if (attempt.entries > 0) return attempt;
  return takeHeld(held, event) ? { ...attempt, taken: event.units } : { ...attempt, state: 'returned' };
}

function refusedOf(
  leased: ReadonlySet<string>,
  before: ReadonlyMap<string, Attempt>,
  { changed }: Folded,
): Set<string> {
  const after = new Map(
    [...before.values(), ...changed].map((attempt) => [attemptKey(attempt.chargeId, attempt.number), attempt]),
  );
  const isRefused = ({ chargeId, state }: Attempt) =>
    leased.has(chargeId) && (state === 'voided' || state === 'reversed');
  return new Set([...after].filter(([, attempt]) => isRefused(attempt)).map(([key]) => key));
}

/**
 * After a restore from a backup, the record of a charge may be older than the attempt of an event. The open attempt of the
 * record then has to end first, so that at most one attempt counts.
 */
function addReturnsOfOvertaken(events: readonly UsageEvent[], charges: ReadonlyMap<string, Charge>): UsageEvent[] {
  return events.flatMap((event) => {
    const charge = charges.get(event.chargeId);
    if (!charge || charge.attempt >= event.attempt || charge.sweepAtMs === null) return [event];
    return [{ ...event, kind: 'return', attempt: charge.attempt, units: noUnits }, event];
  });
}

/** Returns the attempt in the state of the ledger. If nothing is recorded, the event itself provides workspace, key and period. */
function currentAttempt(event: UsageEvent, charge: Charge | undefined, entries: readonly RecordedEntry[]): Attempt {
  const known = charge?.attempt === event.attempt ? charge : entries[0];
  const attempt = attemptOf(
    {
      chargeId: event.chargeId,
      number: event.attempt,
      workspaceId: known?.workspaceId ?? event.workspaceId,
      keyId: known?.keyId ?? event.keyId,
      periodStartMs: known?.periodStartMs ?? event.periodStartMs,
    },
    entries,
    charge?.attempt === event.attempt && charge.sweepAtMs !== null ? charge.units : noUnits,
    charge?.attempt === event.attempt && charge.confirmed,
  );
  // An attempt that is followed by a later one has ended, even if the ledger has no entry of it.
  const isFollowed = charge !== undefined && charge.attempt > event.attempt && entries.length === 0;
  return isFollowed ? { ...attempt, state: 'voided' } : attempt;
}

/** Returns the refunded units of an attempt: from the record if it is the latest attempt of the charge, otherwise from the ledger. */
function refundedOf({ ledger }: Dependencies, attempt: Attempt, charge: Charge | undefined, tx: Tx) {
  if (attempt.state !== 'counted') return noUnits;
  if (charge?.attempt === attempt.number) return charge.refunded;
  return ledger.refundedOf(attempt, tx);
}

/** Opens the refunds of reversed attempts again. A reversed attempt bills nothing, so its refunds wait for a later attempt. */
async function reopenRefunds(
  deps: Dependencies,
  entries: readonly LedgerEntry[],
  charges: ReadonlyMap<string, Charge>,
  tx: Tx,
): Promise<void> {
  const reversed = entries.filter(({ kind, chargeId, attempt }) => {
    const charge = charges.get(chargeId);
    return kind === 'reversal' && charge?.attempt === attempt && !isZero(charge.refunded);
  });
  await deps.refunds.reopen(reversed, deps.clock.now(), tx);
}

/**
 * Updates the charges of the changed attempts.
 * - The attempt is counted -> the charge does not change.
 * - The attempt is voided or returned -> the charge is marked as ended.
 * - The charge has no record -> a new record is written, so that a later Reserve opens the next attempt.
 */
async function writeCharges(
  deps: Dependencies,
  folded: Pick<Folded, 'changed'>,
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
  const ended: EndedAttempt[] = [];
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
      refunded: noUnits,
      periodStartMs: attempt.periodStartMs,
      executionId: '',
      confirmed: false,
      sweepAtMs: null,
    });
    if (!charge) missing.push(record());
    else if (charge.attempt < attempt.number) overtaken.push({ charge: record(), before: charge.attempt });
    else if (charge.attempt === attempt.number && attempt.state !== 'counted') {
      // Written even if the charge is already marked: the write conflicts with a retry that confirms the attempt now.
      ended.push({ workspaceId: attempt.workspaceId, chargeId: attempt.chargeId, attempt: attempt.number });
    }
  }
  await deps.charges.insert(missing, '', nowMs, tx);
  await deps.charges.replace(overtaken, '', nowMs, tx);
  await deps.charges.close(ended, nowMs, tx);
  return missing.length + overtaken.length;
}
