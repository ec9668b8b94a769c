import { randomUUID } from 'node:crypto';
import type { Deadline } from '@shopscope/async';
import { periodAt } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { CommitUnknownError, isDuplicateKey, type Tx } from '@shopscope/mongo';
import { noUnits, type UnitKey } from '@shopscope/proto';
import { takenBalanceOf } from '../domain/balance.ts';
import type { QueuedReserveItem } from '../domain/charge.ts';
import type { NeedsCatchUp, Reserved } from '../domain/reserved.ts';
import { firstExhaustedUnit, subtract } from '../domain/units.ts';
import { outcomeLabel } from '../metrics.ts';
import { chargesOfOthers } from './charge-owners.ts';
import type { Dependencies } from './dependencies.ts';
import { type ChargeDecision, openedBy, type ReserveBatchResult, reserveBatch } from './reserve-batch.ts';
import { takeSum } from './take-allowance.ts';

/** The number of retries after commits of unknown outcome that did not take place. */
const maxLostCommits = 2;

/**
 * Decides the reservations of one workspace in one transaction: optimistically without reading if possible, otherwise
 * after reading the charges. The charges of the items are distinct.
 *
 * - Concurrency: only the database decides, so any number of instances may call it at the same time.
 * - The charge of an item belongs to another workspace -> the item gets `fingerprint_mismatch`. The other items are decided.
 * - An item needs a catch-up -> its result is `needs_catch_up`. The other items are decided.
 * - The outcome of the commit is unknown -> the charges with the transaction's token show whether it took place. If it
 *   did not, the items are decided again, at most `maxLostCommits` times. Afterwards the call rejects with `internal`.
 */
export async function reserve(
  deps: Dependencies,
  items: readonly QueuedReserveItem[],
  deadline: Deadline,
): Promise<(Reserved | NeedsCatchUp)[]> {
  const workspaceId = items[0]?.workspaceId;
  if (workspaceId === undefined) return [];
  let isOptimistic = canInsertOptimistically(items);
  let ofOthers: ReadonlySet<string> = new Set();
  for (let lostCommits = 0; ; ) {
    const transactionToken = randomUUID();
    let decided: ReserveBatchResult | undefined;
    try {
      await deps.transact(
        async (tx) => {
          decided = isOptimistic
            ? await reserveOptimistically(deps, workspaceId, items, transactionToken, tx)
            : undefined;
          decided ??= await reserveBatch(deps, { workspaceId, items, ofOthers, transactionToken }, tx);
        },
        { deadline, retryDuplicateKeys: !isOptimistic },
      );
      return encode(deps, items, decided as unknown as ReserveBatchResult);
    } catch (error) {
      if (isOptimistic && isDuplicateKey(error)) {
        isOptimistic = false;
        continue;
      }
      if (isDuplicateKey(error) && ofOthers.size === 0) {
        ofOthers = await chargesOfOthers(deps, items, deadline);
        if (ofOthers.size > 0) continue;
      }
      if (!(error instanceof CommitUnknownError) || !decided) throw error;
      const opened = { workspaceIds: [workspaceId], ids: decided.opened.map(({ id }) => id) };
      const found = await deps.charges.countByTransactionToken(opened, transactionToken, deadline.timeoutMs());
      if (opened.ids.length > 0 && found === opened.ids.length) return encode(deps, items, decided);
      if (lostCommits++ === maxLostCommits)
        throw new AppError('internal', 'The reservation could not be confirmed.', { cause: error });
    }
  }
}

/** Whether no item has an Idempotency-Key or a verified attempt. Such a charge has a fresh id, unless its call is repeated. */
const canInsertOptimistically = (items: readonly QueuedReserveItem[]) =>
  items.every(({ fingerprint, verifiedAttempt }) => fingerprint === '' && verifiedAttempt === undefined);

/**
 * The body of a reserving transaction that reads nothing (decision 20). It assumes that no charge has a record and that
 * the allowance holds all items.
 *
 * - A charge has a record (its call is repeated) -> a duplicate-key error aborts the transaction, and the reading path decides.
 * - The allowance does not have the units of all items -> returns undefined, and nothing is written. The reading path
 *   decides, because a repeated call may already hold its units.
 */
async function reserveOptimistically(
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

/** Returns the unit that stays exhausted for the item when all lent units return. Undefined if none does. */
function spentUnit(
  { units, included }: QueuedReserveItem,
  exhausted: UnitKey,
  { taken, lent }: ReserveBatchResult,
): UnitKey | undefined {
  if (!lent || lent.unspent[exhausted] <= 0) return exhausted;
  return firstExhaustedUnit(subtract(taken, lent.unspent), units, included);
}

function encode(
  deps: Dependencies,
  items: readonly QueuedReserveItem[],
  decided: ReserveBatchResult,
): (Reserved | NeedsCatchUp)[] {
  deps.metrics.reserveBatch.observe(items.length);
  const balance = takenBalanceOf(decided.periodStartMs, decided.taken);
  const results = items.map((item, n): Reserved | NeedsCatchUp => {
    const decision = decided.decisions[n] as ChargeDecision;
    if (decision.kind === 'needs_catch_up') {
      return { outcome: 'needs_catch_up', unverifiedAttempt: decision.charge.attempt };
    }
    const common = { periodStartMs: decided.periodStartMs, balance };
    if (decision.kind === 'fingerprint_mismatch' || decision.kind === 'stale') {
      return { ...common, outcome: decision.kind };
    }
    if (decision.kind === 'repeated') {
      const { number, taken: units, periodStartMs } = decision.attempt;
      return { balance, periodStartMs, outcome: 'granted', attempt: number, units };
    }
    if (decision.kind === 'already_settled') {
      const { number, used: units, periodStartMs } = decision.attempt;
      return { balance, periodStartMs, outcome: 'already_settled', attempt: number, units };
    }
    const unit = decided.exhausted[n];
    const spent = unit && spentUnit(item, unit, decided);
    if (unit && !spent) {
      return { ...common, outcome: 'lent', forMs: Math.max(0, (decided.lent?.endsAtMs[unit] ?? 0) - deps.clock.now()) };
    }
    if (spent) return { ...common, outcome: 'exhausted', unit: spent };
    return { ...common, outcome: 'granted', attempt: decision.number, units: item.units };
  });
  for (const { outcome } of results) deps.metrics.reserved.inc({ outcome: outcomeLabel(outcome) });
  return results;
}
