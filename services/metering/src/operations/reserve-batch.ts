import { periodAt } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import { type Attempt, step } from '../domain/attempt.ts';
import type { Charge, Reservation } from '../domain/charge.ts';
import type { LedgerEntry } from '../domain/ledger-entry.ts';
import { noUnits, subtract, type UnitKey, type Units } from '../domain/units.ts';
import { type ChargeDecision, decideCharges } from './decide-charges.ts';
import type { Dependencies } from './dependencies.ts';
import { takeAllowance } from './take-allowance.ts';

/** What a transaction decided, parallel to its items. */
export interface Decided {
  periodStartMs: number;
  decisions: ChargeDecision[];
  exhausted: (UnitKey | undefined)[];
  opened: Charge[];
  taken: Units;
}

/**
 * The body of a reserving transaction; it may run several times. `ticket` marks the attempts that it opens. What is
 * doubtful changes nothing, and keeps nothing else from being decided.
 */
export async function reserveBatch(
  deps: Dependencies,
  workspaceId: string,
  items: readonly Reservation[],
  ticket: string,
  tx: Tx,
): Promise<Decided> {
  const nowMs = deps.clock.now();
  const period = { workspaceId, periodStartMs: periodAt(nowMs).startMs };
  const decisions = await decideCharges(deps, items, nowMs, tx);

  const opening = items.flatMap((item, n) => {
    const decision = decisions[n];
    if (decision?.kind !== 'open') return [];
    const { superseded } = decision;
    const here = superseded?.periodStartMs === period.periodStartMs;
    return [{ n, item, decision, wanted: { ...item, credit: here ? superseded.taken : noUnits } }];
  });
  const { exhausted: singly, taken } = await takeAllowance(
    deps,
    period,
    opening.map(({ wanted }) => wanted),
    nowMs,
    tx,
  );

  const exhausted: (UnitKey | undefined)[] = items.map(() => undefined);
  const voids: LedgerEntry[] = [];
  const inserted: Charge[] = [];
  const replaced: { charge: Charge; before: number }[] = [];
  const elsewhere: Attempt[] = [];
  for (const [i, { n, item, decision }] of opening.entries()) {
    const { superseded, charge, number } = decision;
    if (superseded) {
      voids.push(voidEntry(superseded, nowMs));
      if (superseded.periodStartMs !== period.periodStartMs) elsewhere.push(superseded);
    }
    exhausted[n] = singly[i];
    if (singly[i]) continue;
    const fingerprint = item.fingerprint || (charge?.fingerprint ?? '');
    const opened = { ...openedBy(item, number, nowMs, deps), fingerprint };
    if (charge) replaced.push({ charge: opened, before: charge.attempt });
    else inserted.push(opened);
  }
  await deps.ledger.insert(voids, tx);
  await deps.allowances.add(
    elsewhere.map((attempt) => ({ ...attempt, units: subtract(noUnits, attempt.taken) })),
    nowMs,
    tx,
  );
  await deps.charges.insert(inserted, ticket, nowMs, tx);
  await deps.charges.replace(replaced, ticket, nowMs, tx);
  await deps.charges.confirm(settledBefore(decisions), tx);
  return {
    periodStartMs: period.periodStartMs,
    decisions,
    exhausted,
    opened: [...inserted, ...replaced.map(({ charge }) => charge)],
    taken,
  };
}

function voidEntry(attempt: Attempt, nowMs: number): LedgerEntry {
  const made = step(attempt, 'void', noUnits, () => false);
  if (!made) throw new Error('only an attempt that does not count is superseded');
  return {
    chargeId: attempt.chargeId,
    attempt: attempt.number,
    sequence: made.sequence,
    kind: made.kind,
    units: made.used,
    workspaceId: attempt.workspaceId,
    keyId: attempt.keyId,
    periodStartMs: attempt.periodStartMs,
    operation: 'reserve',
    occurredAtMs: nowMs,
    recordedAtMs: nowMs,
  };
}

/** Counted attempts that retries are answered with for the first time. */
function settledBefore(decisions: readonly ChargeDecision[]): string[] {
  return decisions.flatMap(({ kind, charge }) =>
    kind === 'already_settled' && charge && !charge.confirmed ? [charge.id] : [],
  );
}

/** The charge whose attempt `number` an item opens now. */
export function openedBy(
  item: Reservation,
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
