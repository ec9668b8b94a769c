import { periodAt } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import { type Attempt, applyEvent } from '../domain/attempt.ts';
import type { Charge, QueuedReserveItem } from '../domain/charge.ts';
import type { LedgerEntry } from '../domain/ledger-entry.ts';
import { noUnits, subtract, type UnitKey, type Units } from '../domain/units.ts';
import { type ChargeDecision, decideCharges } from './decide-charges.ts';
import type { Dependencies } from './dependencies.ts';
import { type Lent, lentUnits } from './lent-units.ts';
import { takeAllowance } from './take-allowance.ts';

/** What a reserving transaction decided. The lists are parallel to its items, except `opened`. */
export interface ReserveBatchResult {
  periodStartMs: number;
  decisions: ChargeDecision[];
  exhausted: (UnitKey | undefined)[];
  opened: Charge[];
  taken: Units;
  /** What leases hold, when look-ups are exhausted. */
  lent?: Lent | undefined;
}

/**
 * The body of a reserving transaction that reads the charges first; it may run several times.
 *
 * 1. Decide each item by its charge and the ledger.
 * 2. Take the allowance for the attempts to open.
 * 3. Void the superseded attempts.
 * 4. Insert or replace the charges. `transactionToken` marks the attempts that this transaction opens.
 * 5. Confirm counted attempts that a retry gets as its response for the first time.
 *
 * An item that needs a catch-up changes nothing; the other items are decided.
 */
export async function reserveBatch(
  deps: Dependencies,
  workspaceId: string,
  items: readonly QueuedReserveItem[],
  transactionToken: string,
  tx: Tx,
): Promise<ReserveBatchResult> {
  const nowMs = deps.clock.now();
  const period = { workspaceId, periodStartMs: periodAt(nowMs).startMs };
  const decisions = await decideCharges(deps, items, nowMs, tx);

  const opening = items.flatMap((item, n) => {
    const decision = decisions[n];
    if (decision?.kind !== 'open') return [];
    const { superseded } = decision;
    const isSamePeriod = superseded?.periodStartMs === period.periodStartMs;
    return [{ n, item, decision, request: { ...item, credit: isSamePeriod ? superseded.taken : noUnits } }];
  });
  const { exhausted: exhaustedOfOpening, taken } = await takeAllowance(
    deps,
    period,
    opening.map(({ request }) => request),
    nowMs,
    tx,
  );

  const lent = exhaustedOfOpening.includes('lookupCached') ? await lentUnits(deps, period, tx) : undefined;

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
  await deps.ledger.insert(voids, tx);
  await deps.allowances.add(
    supersededInOtherPeriods.map((attempt) => ({ ...attempt, units: subtract(noUnits, attempt.taken) })),
    nowMs,
    tx,
  );
  await deps.charges.insert(inserted, transactionToken, nowMs, tx);
  await deps.charges.replace(replaced, transactionToken, nowMs, tx);
  await deps.charges.confirm(newlyConfirmed(decisions), tx);
  return {
    periodStartMs: period.periodStartMs,
    decisions,
    exhausted,
    opened: [...inserted, ...replaced.map(({ charge }) => charge)],
    taken,
    lent,
  };
}

function voidEntry(attempt: Attempt, nowMs: number): LedgerEntry {
  const transition = applyEvent(attempt, 'void', noUnits, () => false);
  if (!transition) throw new Error('only an open or returned attempt can be superseded');
  return {
    chargeId: attempt.chargeId,
    attempt: attempt.number,
    sequence: transition.sequence,
    kind: transition.kind,
    units: transition.used,
    workspaceId: attempt.workspaceId,
    keyId: attempt.keyId,
    periodStartMs: attempt.periodStartMs,
    dayStartMs: attempt.dayStartMs,
    operation: 'reserve',
    occurredAtMs: nowMs,
    recordedAtMs: nowMs,
  };
}

/** Charges whose counted attempt a retry gets as its response for the first time. */
function newlyConfirmed(decisions: readonly ChargeDecision[]): string[] {
  return decisions.flatMap(({ kind, charge }) =>
    kind === 'already_settled' && charge && !charge.confirmed ? [charge.id] : [],
  );
}

/** The charge after an item has opened its attempt `number`. */
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
    periodStartMs: periodAt(nowMs).startMs,
    executionId: item.executionId,
    confirmed: false,
    sweepAtMs: nowMs + reservationTtlMs,
  };
}
