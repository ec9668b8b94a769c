import { createDeadline, type Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import { latestAttempt } from '../domain/charge.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { counterDeltas, mayPayFor, netOf, type Refund, refundEndsAtMs, refundedUnits } from '../domain/refund.ts';
import { negate } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

export type RefundOutcome = 'refunded' | 'waiting' | 'without_charge' | 'ended';

const maxBatchSize = 200;
const timeoutMs = 10_000;
const retryMs = { min: 2_000, max: 10 * minuteMs } as const;

/**
 * Stores refunds and settles those whose charge is counted. A refund event and the usage event of its charge can arrive in any order.
 *
 * 1. Store the refund as open. A repeated event changes nothing, because the id of the job is the id of the refund.
 * 2. Settle the refund, in one transaction: ledger entry, counters, allowance, and the end of the refund.
 * 3. The charge is not counted yet, or is voided -> the refund stays open, and the timer tries again. If a later attempt of the charge
 *    under its Idempotency-Key bills the job again, that attempt gets the refund.
 * 4. No attempt can pay for the job any more -> the refund ends without an effect: the job was never billed.
 */
export async function recordRefunds(deps: Dependencies, refunds: readonly Refund[], deadline: Deadline): Promise<void> {
  // Step 1: the open refunds.
  await deps.refunds.add(refunds, deps.clock.now(), deadline.timeoutMs());
  for (const refund of refunds) await settleRefund(deps, refund, deadline);
}

/** Settles at most `maxBatchSize` open refunds that are due. Any number of instances may do it at the same time. */
export async function settleDueRefunds(deps: Dependencies): Promise<number> {
  const due = await deps.refunds.due(deps.clock.now(), maxBatchSize, timeoutMs);
  let settled = 0;
  for (const refund of due) {
    try {
      const outcome = await settleRefund(deps, refund, createDeadline(timeoutMs, { clock: deps.clock }));
      if (outcome === 'refunded') settled += 1;
    } catch (error) {
      deps.logger.error({ err: error, jobId: refund.jobId }, 'a refund was not settled; the next run tries again');
    }
  }
  deps.metrics.refundsOpen.set(await deps.refunds.countOpen(timeoutMs));
  return settled;
}

/**
 * Settles one refund. Concurrency: the transaction changes the refund and the record of the charge. A void of the same attempt changes
 * this record, too. One of the two transactions therefore runs again and reads the result of the other.
 */
async function settleRefund(deps: Dependencies, refund: Refund, deadline: Deadline): Promise<RefundOutcome> {
  const nowMs = deps.clock.now();
  const outcome = await deps.transact<RefundOutcome>(
    async (tx) => {
      if (!(await deps.refunds.findOpen(refund, tx))) return 'ended';
      const workspaceIds = [refund.workspaceId];
      const charge = (await deps.charges.find({ workspaceIds, ids: [refund.chargeId] }, tx)).get(refund.chargeId);
      const key = charge && attemptKey(charge.id, charge.attempt);
      const entries = key ? ((await deps.ledger.entriesOf([key], workspaceIds, tx)).get(key) ?? []) : [];
      const attempt =
        charge && mayPayFor(charge, refund) ? netOf(latestAttempt(charge, entries), charge.refunded) : undefined;
      if (attempt?.state === 'counted' && attempt.used[refund.unit] > 0) {
        // Step 2: the settlement.
        const units = refundedUnits(refund);
        await deps.charges.addRefund(attempt, units, tx);
        await deps.ledger.insertRefund(attempt, refund, nowMs, tx);
        await deps.counters.add(counterDeltas(attempt, units), nowMs, tx);
        const { workspaceId, periodStartMs } = attempt;
        await deps.allowances.add([{ workspaceId, periodStartMs, units: negate(units) }], nowMs, tx);
        await deps.refunds.end(refund, attempt.number, nowMs, tx);
        return 'refunded';
      }
      // Step 3: the wait for a counted attempt.
      if (nowMs < refundEndsAtMs(refund)) return 'waiting';
      // Step 4: the end without an effect.
      await deps.refunds.end(refund, null, nowMs, tx);
      return 'without_charge';
    },
    { deadline, retryDuplicateKeys: true },
  );
  await report(deps, refund, outcome, nowMs, deadline);
  return outcome;
}

async function report(
  deps: Dependencies,
  refund: Refund,
  outcome: RefundOutcome,
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  if (outcome === 'ended') return;
  if (outcome === 'waiting') {
    const ageMs = nowMs - refund.canceledAtMs;
    const pauseMs = Math.min(Math.max(ageMs / 4, retryMs.min), retryMs.max);
    await deps.refunds.retryAt(refund, nowMs + pauseMs, deadline.timeoutMs());
    return;
  }
  deps.metrics.refunds.inc({ outcome });
  if (outcome === 'refunded') deps.metrics.entries.inc({ kind: 'refund' });
  const { jobId, chargeId, workspaceId, unit } = refund;
  deps.logger.info({ jobId, chargeId, workspaceId, unit, outcome }, 'a refund has ended');
}
