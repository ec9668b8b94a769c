import type { Clock } from '@shopscope/clock';
import { listingResources, observeSite, observeStore, type StoreObservation } from '@shopscope/fingerprint';
import type { ObservationCompleted } from '@shopscope/proto';
import { toFailureEvent, toFurtherPageInputs, toObservedEvent, toPageInput } from '../domain/observation.ts';
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
 * - The cause may be ours, for example because our name servers do not answer -> throws the undecided VisitFailure.
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
  // Detection is expensive: its first result is used again unless the listing or DNS added evidence.
  let first: { resources: number; seen: StoreObservation } | undefined;
  try {
    const visited = await visitStore(task.domain, {
      visit,
      bounds,
      product,
      checkLease: task.checkLease,
      examine: (page) => {
        first = { resources: page.resources.length, seen: observeStore(toPageInput(task.domain, page)) };
        const { platform, status, furtherPages } = first.seen;
        return {
          listing: listingResources(platform.slug, new URL(page.page.url).origin),
          further: furtherPages,
          isShop: status.state === 'active_storefront',
        };
      },
    });
    const isSame =
      first?.resources === visited.resources.length && Object.values(visited.dns).every((found) => found.length === 0);
    const home = first && isSame ? first.seen : observeStore(toPageInput(task.domain, visited));
    const seen = observeSite(home, toFurtherPageInputs(task.domain, visited));
    return toObservedEvent(facts(), visited, seen);
  } catch (error) {
    if (error instanceof VisitFailure && !error.undecided) return toFailureEvent(facts(), error);
    throw error;
  } finally {
    await visit.close();
  }
}
