import type { Clock } from '@shopscope/clock';
import type { StoreObservation } from '@shopscope/fingerprint';
import type { ObservationCompleted } from '@shopscope/proto';
import type { ExaminationInput, ExaminationKind, Examine } from '../domain/examination.ts';
import { toFailureEvent, toObservedEvent } from '../domain/observation.ts';
import type { HomeVisit, StoreVisit } from '../domain/page.ts';
import { NotExaminableError, VisitFailure } from '../domain/reasons.ts';
import type { ScannerMetrics } from '../metrics.ts';
import type { Dependencies } from './dependencies.ts';
import { visitStore } from './visit-store.ts';
import { createVisitTimeLimit } from './visit-time-limit.ts';

export type ObserveDependencies = Omit<Dependencies, 'observations' | 'egress' | 'logger' | 'metrics'> & {
  metrics: Pick<ScannerMetrics, 'unknownHandles'>;
};

export interface ScanTask {
  scanId: string;
  domain: string;
  sequence: number;
  checkLease(): Promise<void>;
  /** Waits until a request to the host may be sent, and renews the lease. */
  admit(request: { host: string; addresses: string[] }, abort: AbortSignal): Promise<void>;
}

/** The interval of renewals while the scan waits for the examiner or for an admission. Otherwise each fetch renews the lease. */
const renewMs = 5_000;

/**
 * Visits a domain and returns the observation.
 *
 * - The site cannot be examined -> an observation with the reason.
 * - The cause may be ours, for example because our name servers do not answer -> throws the undecided VisitFailure.
 * - A target has no capacity or is opted out, the lease is lost, the scanner stops, or the scanner has a defect -> throws.
 */
export async function observeDomain(
  deps: ObserveDependencies,
  task: ScanTask,
  abort: AbortSignal,
): Promise<ObservationCompleted> {
  const { clock, visitor, bounds, product } = deps;
  const startedAtMs = clock.now();
  const limit = createVisitTimeLimit(bounds.scanMs, clock);
  /** Waits for this system. The wait does not count as time of the store, and the lease is renewed meanwhile. */
  const waiting = <T>(work: () => Promise<T>): Promise<T> =>
    limit.pausedDuring(async () => {
      const stopRenewing = renewEvery(renewMs, task, clock);
      try {
        return await work();
      } finally {
        stopRenewing();
      }
    });
  const visit = visitor.begin(AbortSignal.any([abort, limit.signal]), {
    admit: (host, addresses) => waiting(() => task.admit({ host, addresses: [...addresses] }, abort)),
    queued: waiting,
  });
  const facts = () => ({
    scanId: task.scanId,
    domain: task.domain,
    sequence: task.sequence,
    startedAtMs,
    completedAtMs: clock.now(),
  });
  const runExamination = deps.examiner.forScan(abort);
  const examine: Examine = <K extends ExaminationKind>(kind: K, input: ExaminationInput<K>) =>
    waiting(() => runExamination(kind, input));
  // Detection is expensive. Its first result is used again unless the listing or DNS added evidence.
  let first: { resources: number; seen: StoreObservation } | undefined;
  try {
    const visited = await visitStore(task.domain, {
      visit,
      bounds,
      product,
      examine,
      look: async (page) => {
        const look = await examine('home', { domain: task.domain, visit: homeOf(page) });
        if (look.failure) return look;
        first = { resources: page.resources.length, seen: look.seen };
        const { status, furtherPages } = look.seen;
        return { listing: look.listing, further: furtherPages, isShop: status.state === 'active_storefront' };
      },
    });
    const isSame =
      first?.resources === visited.resources.length && Object.values(visited.dns).every((found) => found.length === 0);
    const home = first && isSame ? { seen: first.seen } : { visit: homeOf(visited) };
    const seen = await examine('site', { domain: task.domain, home, further: visited.further });
    deps.metrics.unknownHandles.observe(seen.unknownHandles.length);
    const further = visited.further.filter(({ kind }) => seen.read.includes(kind));
    return toObservedEvent(facts(), { ...visited, further }, seen);
  } catch (error) {
    if (error instanceof VisitFailure && !error.undecided) return toFailureEvent(facts(), error);
    if (error instanceof NotExaminableError) {
      return toFailureEvent(facts(), new VisitFailure('not_examinable', error.message, { cause: error }));
    }
    throw error;
  } finally {
    limit.cancel();
    await visit.close();
  }
}

/** Only the examined parts are sent to the examiner, so that further pages are not copied with each look. */
const homeOf = ({ page, resources, dns, certificate }: StoreVisit): HomeVisit => ({
  page,
  resources,
  dns,
  certificate,
});

/** Renews the lease until the returned function is called. Errors are ignored, because a lost lease aborts the scan by its own signal. */
function renewEvery(ms: number, { checkLease }: ScanTask, clock: Clock): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.after(ms, () => {
      void checkLease().catch(() => {});
      schedule();
    });
  };
  schedule();
  return () => cancel();
}
