import { randomUUID } from 'node:crypto';
import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { CommitUnknownError, isDuplicateKey } from '@shopscope/mongo';
import { takenBalanceOf } from '../domain/balance.ts';
import type { Reservation } from '../domain/charge.ts';
import type { Doubtful, Reserved } from '../domain/reserved.ts';
import type { ChargeDecision } from './decide-charges.ts';
import type { Dependencies } from './dependencies.ts';
import { type Decided, reserveBatch } from './reserve-batch.ts';
import { mayBeFresh, reserveFresh } from './reserve-fresh.ts';

/** A commit without an answer that did not take place is tried again this often. */
const lostCommits = 2;

/**
 * Decides reservations, all of one workspace, in one transaction: reads the charges where there may be any, opens their next attempts, and takes
 * the sum from the allowance in one conditional update; when the sum does not fit, the items are decided singly, in
 * order. The items' charges differ from each other. Nothing but the database decides, so any number of instances may do
 * this at once. What cannot be decided before the ledger has caught up is told to be doubtful; the rest does not wait for it.
 */
export async function reserve(
  deps: Dependencies,
  items: readonly Reservation[],
  deadline: Deadline,
): Promise<(Reserved | Doubtful)[]> {
  const workspaceId = items[0]?.workspaceId;
  if (workspaceId === undefined) return [];
  let isFresh = mayBeFresh(items);
  for (let lost = 0; ; ) {
    const ticket = randomUUID();
    let decided: Decided | undefined;
    try {
      await deps.transact(
        async (tx) => {
          decided = isFresh ? await reserveFresh(deps, workspaceId, items, ticket, tx) : undefined;
          decided ??= await reserveBatch(deps, workspaceId, items, ticket, tx);
        },
        { deadline, retryDuplicateKeys: !isFresh },
      );
      return encode(deps, items, decided as unknown as Decided);
    } catch (error) {
      if (isFresh && isDuplicateKey(error)) {
        isFresh = false;
        continue;
      }
      if (!(error instanceof CommitUnknownError) || !decided) throw error;
      // What the transaction wrote tells whether it took place; when it did not, deciding again is safe.
      const opened = decided.opened.map(({ id }) => id);
      const found = await deps.charges.countByTicket(opened, ticket, deadline.timeoutMs());
      if (opened.length > 0 && found === opened.length) return encode(deps, items, decided);
      if (lost++ === lostCommits)
        throw new AppError('internal', 'The reservation could not be confirmed.', { cause: error });
    }
  }
}

function encode(deps: Dependencies, items: readonly Reservation[], decided: Decided): (Reserved | Doubtful)[] {
  deps.metrics.reserveBatch.observe(items.length);
  const balance = takenBalanceOf(decided.periodStartMs, decided.taken);
  const results = items.map((item, n): Reserved | Doubtful => {
    const decision = decided.decisions[n] as ChargeDecision;
    if (decision.kind === 'doubtful') return { outcome: 'doubtful', doubtfulAttempt: decision.charge.attempt };
    const common = { periodStartMs: decided.periodStartMs, balance };
    if (decision.kind === 'fingerprint_mismatch' || decision.kind === 'outrun') {
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
    if (unit) return { ...common, outcome: 'exhausted', unit };
    return { ...common, outcome: 'granted', attempt: decision.number, units: item.units };
  });
  for (const { outcome } of results) deps.metrics.reserved.inc({ outcome });
  return results;
}
