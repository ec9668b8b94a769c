import type { Environment } from '@shopscope/environment';
import { hasPassed } from '@shopscope/kafka';
import type { JobDependencies } from './dependencies.ts';

/**
 * Drops claims without a scan request, at most `maxBatchSize` per run. A request may be durable and not consumed yet. The order of these
 * steps ensures that its claim is kept:
 *
 * 1. The claim is overdue.
 * 2. Store the end of scan-requests.v1 in the claim (its mark).
 * 3. Wait until the consumer group has committed up to the mark.
 * 4. Drop the claim if it is still `requested`.
 *
 * - Kafka does not respond -> no claim is dropped.
 */
export async function dropClaims<E extends Environment>(deps: JobDependencies<E>, maxBatchSize: number): Promise<void> {
  // Step 1: the overdue claims.
  const before = new Date(deps.clock.now() - deps.policy.claimWaitMs);
  const overdue = await deps.claims.listOverdue(before, maxBatchSize);
  if (overdue.length === 0) return;

  // Step 2: the marks.
  const unmarked = overdue.filter(({ mark }) => mark === null);
  if (unmarked.length > 0) {
    await deps.claims.markOverdue(unmarked, before, await deps.progress.scanRequests.ends());
  }
  // Step 3: the wait. A later run reads again.
  const marked = overdue.flatMap(({ mark, ...claim }) => (mark ? [{ ...claim, mark }] : []));
  if (marked.length === 0) return;
  const consumed = await deps.progress.scanRequests.consumed();
  const passed = marked.filter(({ mark }) => hasPassed(consumed, mark));
  if (passed.length === 0) return;
  // Step 4: the drop.
  const dropped = await deps.claims.drop(passed, before);
  deps.metrics.claimsDropped.inc(dropped);
  if (dropped > 0) deps.logger.info({ dropped }, 'claims without a scan request were dropped');
}
