import type { Tx } from '@shopscope/mongo';
import { attemptOf } from '../domain/attempt.ts';
import { type Charge, decideReserve, type QueuedReserveItem, type ReserveDecision } from '../domain/charge.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

/** A decision with the charge's record, if there is one. */
export type ChargeDecision =
  | (ReserveDecision & { charge: Charge | undefined })
  /**
   * Another execution opened the latest attempt. An event of that attempt may be durable in usage.v1 and not yet counted,
   * so the ledger has to catch up before the decision.
   */
  | { kind: 'needs_catch_up'; charge: Charge };

/** Decides each item by its charge and the ledger; the allowance is checked afterwards. */
export async function decideCharges(
  deps: Dependencies,
  items: readonly QueuedReserveItem[],
  nowMs: number,
  tx: Tx,
): Promise<ChargeDecision[]> {
  const charges = await deps.charges.find(
    items.map(({ chargeId }) => chargeId),
    tx,
  );
  // A charge under an Idempotency-Key may outlive its record; its attempts continue after the last one in the ledger.
  const keyed = items.filter((item) => item.fingerprint !== '' && !charges.has(item.chargeId));
  const entries = await deps.ledger.entriesOf(
    [...charges.values()]
      .map(({ id, attempt }) => attemptKey(id, attempt))
      .concat(keyed.map(({ chargeId }) => attemptKey(chargeId, 1))),
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
      decisions.push(needsCatchUp(item, decision) ? { kind: 'needs_catch_up', charge } : decision);
      continue;
    }
    const hasLedgerEntries = entries.has(attemptKey(item.chargeId, 1));
    const number = 1 + (hasLedgerEntries ? await deps.ledger.lastAttempt(item.chargeId, tx) : 0);
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
