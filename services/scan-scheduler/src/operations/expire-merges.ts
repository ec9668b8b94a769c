import { hasPassed } from '@shopscope/kafka';
import type { Dependencies } from './dependencies.ts';
import { returnWork } from './return-work.ts';

/**
 * Returns the work of observations that never reached the corpus, at most `batch` of them. An update may be on its way
 * while this service or Kafka lags, so an overdue scan is first marked with the end of profile-updates.v1, and given up
 * only when the consumer has passed the mark without meeting it. Without Kafka nothing is given up.
 */
export async function expireMerges(deps: Dependencies, batch: number): Promise<void> {
  const before = new Date(deps.clock.now() - deps.policy.mergeWaitMs);
  const overdue = await deps.scans.listOverdueMerges(before, batch);
  if (overdue.length === 0) return;

  const unmarked = overdue.filter(({ mark }) => mark === null).map(({ scan }) => scan.id);
  if (unmarked.length > 0) {
    await deps.scans.markOverdueMerges(unmarked, before, await deps.progress.profileUpdates.ends());
  }
  const marked = overdue.flatMap(({ scan, mark }) => (mark ? [{ scan, mark }] : []));
  if (marked.length === 0) return;
  const consumed = await deps.progress.profileUpdates.consumed();
  for (const { scan: seen, mark } of marked) {
    if (!hasPassed(consumed, mark)) continue;
    await returnWork(deps, {
      scanId: seen.id,
      isLost: (scan) => scan.state === 'observed' && scan.sequence === seen.sequence,
      kind: 'observation_lost',
      code: 'observation_lost',
    });
  }
}
