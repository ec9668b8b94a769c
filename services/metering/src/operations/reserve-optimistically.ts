import { periodAt } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import type { QueuedReserveItem } from '../domain/charge.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { openedBy, type ReserveBatchResult } from './reserve-batch.ts';
import { takeSum } from './take-allowance.ts';

/** True when no item has an Idempotency-Key. Such a charge has a fresh id, unless its call is repeated. */
export const canInsertOptimistically = (items: readonly QueuedReserveItem[]) =>
  items.every(({ fingerprint, verifiedAttempt }) => fingerprint === '' && verifiedAttempt === undefined);

/**
 * The body of a reserving transaction that reads nothing (decision 20). It assumes that no charge has a record and that
 * the allowance holds all items.
 *
 * - A charge has a record (a repeated call) -> duplicate-key error: the transaction aborts and the reading path decides.
 * - The allowance does not hold all items -> undefined, nothing written. The reading path decides, because a repeated
 *   call may already hold its units.
 */
export async function reserveOptimistically(
  deps: Dependencies,
  workspaceId: string,
  items: readonly QueuedReserveItem[],
  transactionToken: string,
  tx: Tx,
): Promise<ReserveBatchResult | undefined> {
  const nowMs = deps.clock.now();
  const period = { workspaceId, periodStartMs: periodAt(nowMs).startMs };
  const requests = items.map((item) => ({ ...item, credit: noUnits }));
  const taken = await takeSum(deps, period, requests, nowMs, tx);
  if (!taken) return undefined;
  const opened = items.map((item) => openedBy(item, 1, nowMs, deps));
  await deps.charges.insert(opened, transactionToken, nowMs, tx);
  return {
    periodStartMs: period.periodStartMs,
    decisions: items.map(() => ({ kind: 'open', number: 1, superseded: undefined, charge: undefined })),
    exhausted: items.map(() => undefined),
    opened,
    taken,
  };
}
