import type { Clock } from '@shopscope/clock';
import { listingResources, observeStore, type StoreObservation } from '@shopscope/fingerprint';
import type { ObservationCompleted } from '@shopscope/proto';
import { failedVisit, observedStore, pageInputOf } from '../domain/observation.ts';
import { VisitFailure } from '../domain/reasons.ts';
import type { Visitor } from '../outbound/web/visitor.ts';
import { type VisitBounds, visitStore } from './visit-store.ts';

export interface ObserveDomainOptions {
  visitor: Visitor;
  clock: Clock;
  bounds: VisitBounds & { scanMs: number };
  product: string;
}

export interface ScanTask {
  scanId: string;
  domain: string;
  sequence: number;
  checkLease(): Promise<void>;
}

/**
 * What there is to know about a domain now. A site that cannot be examined is an observation as well; only what stops
 * the scan itself (a lost lease, a stop, a fault of ours) is thrown.
 */
export async function observeDomain(
  task: ScanTask,
  options: ObserveDomainOptions,
  signal: AbortSignal,
): Promise<ObservationCompleted> {
  const { clock, visitor, bounds, product } = options;
  const startedAtMs = clock.now();
  const visit = visitor.begin(AbortSignal.any([signal, AbortSignal.timeout(bounds.scanMs)]));
  const facts = () => ({
    scanId: task.scanId,
    domain: task.domain,
    sequence: task.sequence,
    startedAtMs,
    completedAtMs: clock.now(),
  });
  // Detection is the expensive half: what it said of the page stands unless there was more to read.
  let first: { resources: number; seen: StoreObservation } | undefined;
  try {
    const visited = await visitStore(task.domain, {
      visit,
      bounds,
      product,
      checkLease: task.checkLease,
      listingOf: (page) => {
        first = { resources: page.resources.length, seen: observeStore(pageInputOf(task.domain, page)) };
        return listingResources(first.seen.platform.slug, new URL(page.page.url).origin);
      },
    });
    const seen =
      first?.resources === visited.resources.length ? first.seen : observeStore(pageInputOf(task.domain, visited));
    return observedStore(facts(), visited, seen);
  } catch (error) {
    if (error instanceof VisitFailure) return failedVisit(facts(), error);
    throw error;
  } finally {
    await visit.close();
  }
}
