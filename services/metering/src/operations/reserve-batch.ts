import { periodAt } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import { noUnits, type UnitKey, type Units } from '@shopscope/proto';
import { type Attempt, applyEvent } from '../domain/attempt.ts';
import {
  type Charge,
  decideReserve,
  latestAttempt,
  type QueuedReserveItem,
  type ReserveDecision,
} from '../domain/charge.ts';
import { attemptKey, entryOf, type LedgerEntry } from '../domain/ledger-entry.ts';
import { subtract } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { type Lent, takeAllowance } from './take-allowance.ts';

/** A decision with the record of the charge, if there is one. */
export type ChargeDecision =
  | (ReserveDecision & { charge: Charge | undefined })
  /**
   * Another execution opened the latest attempt. An event of that attempt may be durable in usage.v1 and not yet counted.
   * The ledger therefore has to catch up before the decision.
   */
  | { kind: 'needs_catch_up'; charge: Charge };

/** The items of one workspace. */
export interface ReserveBatch {
  workspaceId: string;
  items: readonly QueuedReserveItem[];
  /** The charges of the items that belong to other workspaces. */
  ofOthers: ReadonlySet<string>;
  transactionToken: string;
}

/** The decisions of a reserving transaction. Each list except `opened` has one entry per item, in the same order. */
export interface ReserveBatchResult {
  periodStartMs: number;
  decisions: ChargeDecision[];
  exhausted: (UnitKey | undefined)[];
  opened: Charge[];
  taken: Units;
  /** The units that leases hold. Present only if a unit that leases lend is exhausted. */
  lent?: Lent | undefined;
}

/**
 * The body of a reserving transaction that reads the charges first. It may run several times.
 *
 * 1. Decide each item by its charge and the ledger.
 * 2. Take the allowance for the attempts to open.
 * 3. Void the superseded attempts.
 * 4. Insert or replace the charges. `transactionToken` marks the attempts that this transaction opens.
 * 5. Confirm the counted attempts that a retry now gets as its response for the first time.
 *
 * An item that needs a catch-up changes nothing. The other items are decided.
 */
export async function reserveBatch(deps: Dependencies, batch: ReserveBatch, tx: Tx): Promise<ReserveBatchResult> {
  const { workspaceId, items, transactionToken } = batch;
  const nowMs = deps.clock.now();
  const period = { workspaceId, periodStartMs: periodAt(nowMs).startMs };
  // Step 1: the decisions.
  const decisions = await decideCharges(deps, batch, nowMs, tx);

  // Step 2: the allowance.
  const opening = items.flatMap((item, n) => {
    const decision = decisions[n];
    if (decision?.kind !== 'open') return [];
    const { superseded } = decision;
    const isSamePeriod = superseded?.periodStartMs === period.periodStartMs;
    return [{ n, item, decision, request: { ...item, credit: isSamePeriod ? superseded.taken : noUnits } }];
  });
  const {
    exhausted: exhaustedOfOpening,
    taken,
    lent,
  } = await takeAllowance(
    deps,
    period,
    opening.map(({ request }) => request),
    nowMs,
    tx,
  );

  const exhausted: (UnitKey | undefined)[] = items.map(() => undefined);
  const voids: LedgerEntry[] = [];
  const inserted: Charge[] = [];
  const replaced: { charge: Charge; before: number }[] = [];
  const supersededInOtherPeriods: Attempt[] = [];
  for (const [i, { n, item, decision }] of opening.entries()) {
    const { superseded, charge, number } = decision;
    if (superseded) {
      voids.push(voidEntry(superseded, nowMs));
      if (superseded.periodStartMs !== period.periodStartMs) supersededInOtherPeriods.push(superseded);
    }
    exhausted[n] = exhaustedOfOpening[i];
    if (exhaustedOfOpening[i]) continue;
    const fingerprint = item.fingerprint || (charge?.fingerprint ?? '');
    const opened = { ...openedBy(item, number, nowMs, deps), fingerprint };
    if (charge) replaced.push({ charge: opened, before: charge.attempt });
    else inserted.push(opened);
  }
  // Step 3: the voids.
  await deps.ledger.insert(voids, tx);
  await deps.allowances.add(
    supersededInOtherPeriods.map((attempt) => ({ ...attempt, units: subtract(noUnits, attempt.taken) })),
    nowMs,
    tx,
  );
  // Step 4: the charges.
  await deps.charges.insert(inserted, transactionToken, nowMs, tx);
  await deps.charges.replace(replaced, transactionToken, nowMs, tx);
  // Step 5: the confirmations.
  await deps.charges.confirm({ workspaceIds: [workspaceId], ids: newlyConfirmed(decisions) }, tx);
  return {
    periodStartMs: period.periodStartMs,
    decisions,
    exhausted,
    opened: [...inserted, ...replaced.map(({ charge }) => charge)],
    taken,
    lent,
  };
}

/** Decides each item by its charge and the ledger. The caller takes the allowance afterwards. */
async function decideCharges(
  deps: Dependencies,
  { workspaceId, items, ofOthers }: ReserveBatch,
  nowMs: number,
  tx: Tx,
): Promise<ChargeDecision[]> {
  const workspaceIds = [workspaceId];
  const charges = await deps.charges.find({ workspaceIds, ids: items.map(({ chargeId }) => chargeId) }, tx);
  // A charge with an Idempotency-Key may outlive its record. The numbers of its attempts continue after the last one in the ledger.
  const keyed = items.filter((item) => item.fingerprint !== '' && !charges.has(item.chargeId));
  const entries = await deps.ledger.entriesOf(
    [...charges.values()]
      .map(({ id, attempt }) => attemptKey(id, attempt))
      .concat(keyed.map(({ chargeId }) => attemptKey(chargeId, 1))),
    workspaceIds,
    tx,
  );
  const decisions: ChargeDecision[] = [];
  for (const item of items) {
    if (ofOthers.has(item.chargeId)) {
      decisions.push({ kind: 'fingerprint_mismatch', charge: undefined });
      continue;
    }
    const charge = charges.get(item.chargeId);
    if (charge) {
      const recorded = entries.get(attemptKey(charge.id, charge.attempt)) ?? [];
      const latest = latestAttempt(charge, recorded);
      const decision = { ...decideReserve(charge, latest, item, nowMs), charge };
      decisions.push(needsCatchUp(item, decision) ? { kind: 'needs_catch_up', charge } : decision);
      continue;
    }
    const hasLedgerEntries = entries.has(attemptKey(item.chargeId, 1));
    const number = 1 + (hasLedgerEntries ? await deps.ledger.lastAttempt(item.chargeId, workspaceId, tx) : 0);
    decisions.push({ kind: 'open', number, superseded: undefined, charge: undefined });
  }
  return decisions;
}

function needsCatchUp(item: QueuedReserveItem, decision: ReserveDecision & { charge: Charge }): boolean {
  const { charge } = decision;
  const isOfAnotherExecution = item.executionId !== '' && charge.executionId !== '';
  if (!isOfAnotherExecution || item.verifiedAttempt === charge.attempt) return false;
  const supersedes = decision.kind === 'open' && decision.superseded !== undefined;
  const confirms = decision.kind === 'already_settled' && !charge.confirmed;
  return supersedes || confirms;
}

function voidEntry(attempt: Attempt, nowMs: number): LedgerEntry {
  const transition = applyEvent(attempt, 'void', noUnits, () => false);
  if (!transition) throw new Error('only an open or returned attempt can be superseded');
  return entryOf(transition, { operation: 'reserve', occurredAtMs: nowMs, recordedAtMs: nowMs });
}

/** Returns the charges whose counted attempt a retry now gets as its response for the first time. */
function newlyConfirmed(decisions: readonly ChargeDecision[]): string[] {
  return decisions.flatMap(({ kind, charge }) =>
    kind === 'already_settled' && charge && !charge.confirmed ? [charge.id] : [],
  );
}

/** Returns the charge after an item has opened the attempt `number`. */
export function openedBy(
  item: QueuedReserveItem,
  number: number,
  nowMs: number,
  { reservationTtlMs }: Pick<Dependencies, 'reservationTtlMs'>,
): Charge {
  return {
    id: item.chargeId,
    workspaceId: item.workspaceId,
    keyId: item.keyId,
    fingerprint: item.fingerprint,
    firstSeenMs: nowMs,
    attempt: number,
    units: item.units,
    refunded: noUnits,
    periodStartMs: periodAt(nowMs).startMs,
    executionId: item.executionId,
    confirmed: false,
    sweepAtMs: nowMs + reservationTtlMs,
  };
}
