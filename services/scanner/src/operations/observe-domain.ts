import type { Clock } from '@shopscope/clock';
import { listingResources, observeStore, type StoreObservation } from '@shopscope/fingerprint';
import type { ObservationCompleted } from '@shopscope/proto';
import { toFailureEvent, toObservedEvent, toPageInput } from '../domain/observation.ts';
import { VisitFailure } from '../domain/reasons.ts';
import type { Visitor } from '../outbound/web/visitor.ts';
import { type VisitBounds, visitStore } from './visit-store.ts';

export interface ObserveDomainOptions {
  visitor: Visitor;
  clock: Clock;
  bounds: VisitBounds & { scanMs: number };
  /** The product token (RFC 9309) of this robot. */
  product: string;
}

export interface ScanTask {
  scanId: string;
  domain: string;
  sequence: number;
  checkLease(): Promise<void>;
}

/**
 * Visits a domain and returns the observation.
 *
 * - The site cannot be examined -> an observation with the reason.
 * - The lease is lost, the scanner stops, or the scanner has a defect -> throws.
 */
export async function observeDomain(
  task: ScanTask,
  options: ObserveDomainOptions,
  abort: AbortSignal,
): Promise<ObservationCompleted> {
  const { clock, visitor, bounds, product } = options;
  const startedAtMs = clock.now();
  const visit = visitor.begin(AbortSignal.any([abort, AbortSignal.timeout(bounds.scanMs)]));
  const facts = () => ({
    scanId: task.scanId,
    domain: task.domain,
    sequence: task.sequence,
    startedAtMs,
    completedAtMs: clock.now(),
  });
  // Detection is expensive: its first result is used again unless the listing added resources.
  let first: { resources: number; seen: StoreObservation } | undefined;
  try {
    const visited = await visitStore(task.domain, {
      visit,
      bounds,
      product,
      checkLease: task.checkLease,
      listingOf: (page) => {
        first = { resources: page.resources.length, seen: observeStore(toPageInput(task.domain, page)) };
        return listingResources(first.seen.platform.slug, new URL(page.page.url).origin);
      },
    });
    const seen =
      first?.resources === visited.resources.length ? first.seen : observeStore(toPageInput(task.domain, visited));
    return toObservedEvent(facts(), visited, seen);
  } catch (error) {
    if (error instanceof VisitFailure) return toFailureEvent(facts(), error);
    throw error;
  } finally {
    await visit.close();
  }
}
