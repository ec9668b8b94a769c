import type { Dependencies } from './dependencies.ts';
import { newOrigin, queueBackgroundScans } from './queue-background-scans.ts';

const maxScansPerTransaction = 100;

/**
 * Queues background scans of domains whose profiles are stale, at most one transaction per run and within the budget of the day. It does
 * nothing unless refreshes are configured.
 *
 * - A domain is taken by moving the time from which its age counts. One of several instances therefore refreshes it, at most once per age.
 * - A scan of the domain waits already -> the domain is taken without a scan, and costs no budget.
 * - A domain was imported and never visited -> its age counts from its observation.
 * - A scan ends without a visit (for example because its job expired) -> the next refresh comes after the usual age.
 */
export async function refreshStaleProfiles(deps: Dependencies, maxBatchSize: number): Promise<void> {
  const { refresh } = deps.policy;
  if (!refresh) return;
  await deps.targets.dateUndated(maxBatchSize);
  const at = new Date(deps.clock.now());
  const staleBefore = new Date(at.getTime() - refresh.afterMs);
  const stale = await deps.targets.listStale(staleBefore, Math.min(maxBatchSize, maxScansPerTransaction));
  const [stalest] = stale;
  deps.metrics.refreshOverdue.set(stalest ? (staleBefore.getTime() - stalest.freshSince.getTime()) / 1000 : 0);
  if (stale.length === 0) return;

  const live = await deps.scans.liveDomains(stale.map(({ domain }) => domain));
  const idle = stale.filter(({ domain }) => !live.has(domain));
  const granted = idle.length > 0 ? await deps.refreshBudget.take(idle.length, refresh, at) : 0;
  const domains = [...live, ...idle.slice(0, granted).map(({ domain }) => domain)];
  if (domains.length === 0) return;
  await queueBackgroundScans(deps, {
    source: 'refresh',
    domains,
    wanted: (candidates, tx) => deps.targets.takeStale(candidates, staleBefore, at, tx),
    origin: newOrigin(),
  });
}
