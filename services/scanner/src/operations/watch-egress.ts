import type { Clock } from '@shopscope/clock';
import { errorLine, type Logger } from '@shopscope/telemetry';
import { VisitFailure } from '../domain/reasons.ts';
import type { ScannerMetrics } from '../metrics.ts';
import type { CanaryProbe } from '../outbound/web/canary.ts';

/**
 * Tells outages of our own access to the web apart from outages of stores, by canaries: names that are nearly always
 * reachable.
 *
 * - Trigger: a visit that fails in a way that may be ours. While visits succeed, canaries get no request.
 * - No canary is reached -> the scan is given back as `egress_broken`, and the scanner leases no further scan.
 * - Paused -> the canaries are asked again before each lease, at most every 5 s. One that is reached ends the pause.
 * - Mapped hosts need no access to the web: their failures are their own, and a mapped canary is left out.
 * - Concurrency: one round at a time, for all scans of the process.
 * - Bounds: a round takes 5 s at most, and rounds of failed visits begin at most every 10 s.
 */
export interface EgressWatch {
  /** Rejects with VisitFailure `egress_broken` while leasing is paused. */
  ready(): Promise<void>;
  /**
   * Called after a failed visit of `domain` that began at `startedMs` of the monotonic clock. Rejects with VisitFailure
   * `egress_broken` when no canary is reached either, or none was reached at some time during the visit.
   */
  ensureWorks(domain: string, startedMs: number): Promise<void>;
}

export interface EgressWatchOptions {
  /** None: nothing is watched. */
  names: readonly string[];
  probe: CanaryProbe;
  isTestHost(hostname: string): boolean;
  clock: Clock;
  metrics: ScannerMetrics;
  logger: Logger;
}

const probeTimeoutMs = 5_000;
/** A result of this age still decides about a failed visit. */
const maxAgeMs = 10_000;
const maxAgeWhilePausedMs = 5_000;

export function createEgressWatch(options: EgressWatchOptions): EgressWatch {
  const { clock, metrics, logger } = options;
  let isBroken = false;
  let beganMs = Number.NEGATIVE_INFINITY;
  /** When it was last seen that no canary is reached. */
  let brokenMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    beganMs = clock.monotonicMs();
    const names = options.names.filter((name) => !options.isTestHost(name));
    const failures = await failuresUntilOneIsReached(names, options.probe);
    metrics.canaryRounds.inc({ result: failures ? 'failed' : 'reached' });
    const wasBroken = isBroken;
    isBroken = failures !== undefined;
    if (isBroken) brokenMs = clock.monotonicMs();
    metrics.egressBroken.set(Number(isBroken));
    if (isBroken && !wasBroken) {
      logger.warn({ failures }, 'no canary can be reached: our access to the web is broken, and leasing is paused');
    }
    if (!isBroken && wasBroken) logger.info('a canary can be reached again: leasing continues');
  };
  const check = async (ageMs: number, sinceMs = Number.POSITIVE_INFINITY) => {
    if (!asking && clock.monotonicMs() - beganMs >= ageMs) {
      asking = ask().finally(() => {
        asking = undefined;
      });
    }
    await asking;
    if (isBroken || brokenMs >= sinceMs) throw new VisitFailure('egress_broken', 'no canary can be reached');
  };
  const hasCanaries = () => options.names.some((name) => !options.isTestHost(name));

  return {
    ready: async () => {
      if (isBroken) await check(maxAgeWhilePausedMs);
    },
    ensureWorks: async (domain, startedMs) => {
      if (hasCanaries() && !options.isTestHost(domain)) await check(maxAgeMs, startedMs);
    },
  };
}

/** Asks all canaries at the same time. Undefined when one is reached or there is none, else the failure of each. */
async function failuresUntilOneIsReached(
  names: readonly string[],
  probe: CanaryProbe,
): Promise<Record<string, string> | undefined> {
  if (names.length === 0) return undefined;
  const reached = new AbortController();
  const abort = AbortSignal.any([reached.signal, AbortSignal.timeout(probeTimeoutMs)]);
  try {
    await Promise.any(names.map((name) => probe(name, abort)));
    return undefined;
  } catch (error) {
    const { errors } = error as AggregateError;
    return Object.fromEntries(names.map((name, index) => [name, errorLine(errors[index])]));
  } finally {
    reached.abort();
  }
}
