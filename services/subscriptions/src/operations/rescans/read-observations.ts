import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Origin } from '@shopscope/telemetry';
import type { Watchlist } from '../../domain/watchlist.ts';
import type { Dependencies } from '../dependencies.ts';

/** The stores whose observations one read asks for. */
const maxBatchSize = 1_000;
const maxReads = 3;

/**
 * With a budget, the store with the oldest observation is the next one. The stored times of observations are never too late, and may be too
 * early: another workspace may have asked for a scan, for example. So the oldest stores are read again until none of the next ones changes.
 *
 * Returns false if more reads are needed. The turns then wait for the next visit, which reads on.
 */
export async function observationsAreKnown<E extends Environment>(
  {
    environment,
    watchedTurns,
    charging,
    clock,
  }: Pick<Dependencies<E>, 'environment' | 'watchedTurns' | 'charging' | 'clock'>,
  { id, workspaceId, rescans }: Watchlist,
  turns: number,
  origin: Origin,
  deadline: Deadline,
): Promise<boolean> {
  if (rescans.budget === null || !rescans.nextAt || rescans.nextAt > new Date(clock.now())) return true;
  const ref = { environment, workspaceId, id };
  for (let read = 1; read <= maxReads; read++) {
    const oldest = await watchedTurns.next(ref, 'observedAt', maxBatchSize, { maxTimeMS: deadline.timeoutMs() });
    const domains = oldest.map(({ domain }) => domain);
    if (domains.length === 0) return true;
    const times = await charging.profiles.scanTimes(domains, origin, deadline, workspaceId);
    const newer = new Map<string, Date>();
    for (const [index, { domain, observedAt }] of oldest.entries()) {
      const atMs = times[index];
      if (atMs !== undefined && atMs > observedAt.getTime()) newer.set(domain, new Date(atMs));
    }
    await watchedTurns.observed(ref, newer, deadline.timeoutMs());
    if (!domains.slice(0, turns).some((domain) => newer.has(domain))) return true;
  }
  return false;
}
