import { hasPassed } from '@shopscope/kafka';
import type { Dependencies } from './dependencies.ts';

/**
 * Drops claims that were never published, at most `batch` of them. Time alone does not prove that: a scan request may
 * be durable and not yet consumed. So an overdue claim is marked with the end of scan-requests.v1, and dropped only when
 * the consumer has passed the mark and the claim is still `requested`. Without Kafka nothing is dropped.
 */
export async function dropClaims(deps: Dependencies, batch: number): Promise<void> {
  const before = new Date(deps.clock.now() - deps.policy.claimWaitMs);
  const overdue = await deps.claims.listOverdue(before, batch);
  if (overdue.length === 0) return;

  const unmarked = overdue.filter(({ mark }) => mark === null).map(({ id }) => id);
  if (unmarked.length > 0) {
    await deps.claims.markOverdue(unmarked, before, await deps.progress.scanRequests.ends());
  }
  const marked = overdue.flatMap(({ id, mark }) => (mark ? [{ id, mark }] : []));
  if (marked.length === 0) return;
  const consumed = await deps.progress.scanRequests.consumed();
  const passed = marked.filter(({ mark }) => hasPassed(consumed, mark)).map(({ id }) => id);
  if (passed.length === 0) return;
  const dropped = await deps.claims.drop(passed, before);
  deps.metrics.claimsDropped.inc(dropped);
  if (dropped > 0) deps.logger.info({ dropped }, 'claims that were never published are dropped');
}
