import type { Tx } from '@shopscope/mongo';
import { attemptOf } from '../domain/attempt.ts';
import { type Charge, decideReserve, type Reservation, type ReserveDecision } from '../domain/charge.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

/** A decision with the charge's record, when there was one. */
export type ChargeDecision =
  | (ReserveDecision & { charge: Charge | undefined })
  /**
   * Another execution opened the latest attempt, and what became of it may stand in an event that is durable and not yet
   * counted. Nothing is decided before the ledger has caught up.
   */
  | { kind: 'doubtful'; charge: Charge };

/** What each item means before the allowance is asked. */
export async function decideCharges(
  deps: Dependencies,
  items: readonly Reservation[],
  nowMs: number,
  tx: Tx,
): Promise<ChargeDecision[]> {
  const charges = await deps.charges.find(
    items.map(({ chargeId }) => chargeId),
    tx,
  );
  // A charge that an Idempotency-Key names may outlive its record; its attempts go on where the ledger ends.
  const named = items.filter((item) => item.fingerprint !== '' && !charges.has(item.chargeId));
  const entries = await deps.ledger.entriesOf(
    [...charges.values()]
      .map(({ id, attempt }) => attemptKey(id, attempt))
      .concat(named.map(({ chargeId }) => attemptKey(chargeId, 1))),
    tx,
  );
  const decisions: ChargeDecision[] = [];
  for (const item of items) {
    const charge = charges.get(item.chargeId);
    if (charge) {
      const recorded = entries.get(attemptKey(charge.id, charge.attempt)) ?? [];
      const latest = attemptOf(
        { ...charge, chargeId: charge.id, number: charge.attempt },
        recorded,
        charge.sweepAtMs === null ? noUnits : charge.units,
      );
      const decision = { ...decideReserve(charge, latest, item, nowMs), charge };
      decisions.push(isDoubtful(item, decision) ? { kind: 'doubtful', charge } : decision);
      continue;
    }
    const forgotten = entries.has(attemptKey(item.chargeId, 1));
    const number = 1 + (forgotten ? await deps.ledger.lastAttempt(item.chargeId, tx) : 0);
    decisions.push({ kind: 'open', number, superseded: undefined, charge: undefined });
  }
  return decisions;
}

function isDoubtful(item: Reservation, decision: ReserveDecision & { charge: Charge }): boolean {
  const { charge } = decision;
  const isOfAnother = item.executionId !== '' && charge.executionId !== '';
  if (!isOfAnother || item.certainAttempt === charge.attempt) return false;
  const supersedes = decision.kind === 'open' && decision.superseded !== undefined;
  const confirms = decision.kind === 'already_settled' && !charge.confirmed;
  return supersedes || confirms;
}
