import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';
import { type BackgroundOutcome, queueBackgroundScans } from './queue-background-scans.ts';
import { requireDomains } from './require-valid.ts';

export interface QueueScans {
  domains: readonly string[];
  /** Domains that were visited at this instant or later are skipped. 0 skips those within the pause between two visits. */
  skipVisitedSinceMs: number;
}

const maxBatchSize = 1_000;
const maxScansPerTransaction = 100;

/**
 * Queues background scans of an operator's list, in transactions of a hundred. Resolves to the outcomes, parallel to the domains.
 *
 * - The call is repeated -> domains whose scan waits, or that were visited, get no second scan.
 * - A request is invalid -> `invalid_request`, and nothing is queued.
 * - A transaction fails -> the call rejects. The earlier transactions stay, and the caller repeats the call.
 */
export async function queueScans(
  deps: Dependencies,
  { domains, skipVisitedSinceMs }: QueueScans,
  context: Pick<CallContext, 'deadline' | 'origin'>,
): Promise<BackgroundOutcome[]> {
  requireDomains(deps.environment, domains, maxBatchSize);
  const pauseBegan = deps.clock.now() - deps.policy.visitIntervalMs;
  const since = new Date(skipVisitedSinceMs > 0 ? Math.min(skipVisitedSinceMs, pauseBegan) : pauseBegan);
  const outcomes: BackgroundOutcome[] = [];
  for (let first = 0; first < domains.length; first += maxScansPerTransaction) {
    const batch = domains.slice(first, first + maxScansPerTransaction);
    const byDomain = await queueBackgroundScans(
      deps,
      {
        source: 'list',
        domains: batch,
        wanted: async (candidates, tx) => {
          const visited = await deps.targets.visitedSince(candidates, since, tx);
          return new Set(candidates.filter((domain) => !visited.has(domain)));
        },
        origin: context.origin,
      },
      context,
    );
    outcomes.push(...batch.map((domain) => byDomain.get(domain) ?? 'unwanted'));
  }
  return outcomes;
}
