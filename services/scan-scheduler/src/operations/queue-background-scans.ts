import type { Deadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { noOrigin, type Origin, originFields } from '@shopscope/telemetry';
import { type BackgroundSource, backgroundQueue } from '../domain/background.ts';
import { priorities } from '../domain/fair-order.ts';
import type { Dependencies } from './dependencies.ts';
import { insertScans } from './new-scan.ts';
import { createTakePlaces } from './take-places.ts';

export interface BackgroundScans {
  source: BackgroundSource;
  /** At most a hundred domains, each once. */
  domains: readonly string[];
  /** Returns the domains that the source still wants to scan. It is called within the transaction. */
  wanted(domains: readonly string[], tx: Tx): Promise<Set<string>>;
  origin: Origin;
}

/**
 * queued: a new scan. live: a scan of the domain waits or is being carried out. unwanted: `wanted` omits the domain. resting: the latest
 * scans found something else than the store's page.
 */
export type BackgroundOutcome = 'queued' | 'live' | 'unwanted' | 'resting';

/**
 * Queues background scans, without jobs. Resolves to the outcome by domain.
 *
 * - Concurrency: one transaction. If another scan of the domain begins meanwhile, the duplicate key makes the transaction run again.
 * - The transaction aborts -> the starts that it took stay unused.
 */
export async function queueBackgroundScans(
  deps: Dependencies,
  { source, domains, wanted: wantedOf, origin }: BackgroundScans,
  within: { deadline?: Deadline } = {},
): Promise<Map<string, BackgroundOutcome>> {
  const workspaceId = backgroundQueue(source);
  const takePlaces = createTakePlaces(deps, priorities.background);
  const outcomes = await deps.transact(async (tx) => {
    const wanted = await wantedOf(domains, tx);
    const live = await deps.scans.liveDomains(domains, tx);
    const resting = await deps.targets.resting(domains, new Date(deps.clock.now()), tx);
    const started = domains.filter((domain) => wanted.has(domain) && !live.has(domain) && !resting.has(domain));
    const placing = started.map((domain) => ({ jobId: domain, workspaceId, current: undefined }));
    const places = await takePlaces(placing, tx);
    const dueAt = new Date(deps.clock.now());
    const scans = started.map((domain) => {
      return { domain, origin, workspaceIds: [], attempts: 0, dueAt, place: places.get(domain) };
    });
    if (scans.length > 0) await insertScans(deps, tx, scans);
    const outcomeOf = (domain: string): BackgroundOutcome => {
      if (live.has(domain)) return 'live';
      if (resting.has(domain)) return 'resting';
      return wanted.has(domain) ? 'queued' : 'unwanted';
    };
    return new Map(domains.map((domain) => [domain, outcomeOf(domain)]));
  }, within);
  for (const outcome of outcomes.values()) {
    if (outcome === 'queued' || outcome === 'live') deps.metrics.backgroundScans.inc({ source, outcome });
  }
  const queued = [...outcomes.values()].filter((outcome) => outcome === 'queued').length;
  if (queued > 0) {
    deps.logger.info({ source, queued, ...originFields(origin) }, 'background scans queued');
    deps.workArrived();
  }
  return outcomes;
}

/** Creates an origin for scans that no request asked for. */
export const newOrigin = (): Origin => ({ ...noOrigin, requestId: newId('req') });
