import { untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { errorLine, type Logger } from '@shopscope/telemetry';
import { VisitFailure } from '../domain/reasons.ts';
import type { ScannerMetrics } from '../metrics.ts';
import type { CanaryProbe } from '../outbound/web/canary.ts';

/**
 * Tells outages of our own access to the web apart from outages of stores, by canaries: names that are nearly always
 * reachable.
 *
 * - Trigger: a visit that fails in a way that may be ours. It counts once something was reached after its failure: a host of
 *   another visit, or a canary. So canaries get requests only while no visit reaches a host for some seconds.
 * - No canary is reached -> the scan is given back as `egress_broken`, and the scanner leases no further scan.
 * - Paused -> the canaries are asked again before each lease, at most every 5 s. One that is reached ends the pause.
 * - Mapped hosts need no access to the web: their failures are their own, and a mapped canary is left out.
 * - Concurrency: one round at a time, for all scans of the process.
 * - Bounds: a round takes 5 s at most, and rounds begin at most every 5 s. So a failed visit waits 10 s at most.
 */
export type EgressWatch = ReturnType<typeof createEgressWatch>;

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
const minIntervalMs = 5_000;

export function createEgressWatch(options: EgressWatchOptions) {
  const { clock, metrics, logger } = options;
  let isBroken = false;
  let beganMs = Number.NEGATIVE_INFINITY;
  /** When it was last seen that no canary is reached. */
  let brokenMs = Number.NEGATIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  /** Failed visits that wait for a proof. */
  let waiting = 0;
  let asking: Promise<void> | undefined;
  /** The next round, which has not begun. */
  let planned: Promise<void> | undefined;

  const connected = () => {
    reached.resolve();
    reached = Promise.withResolvers();
    if (isBroken) logger.info('a host can be reached again: leasing continues');
    isBroken = false;
    metrics.egressBroken.set(0);
  };
  const ask = async () => {
    beganMs = clock.monotonicMs();
    const names = options.names.filter((name) => !options.isTestHost(name));
    const failures = await failuresUntilOneIsReached(names, options.probe);
    metrics.canaryRounds.inc({ result: failures ? 'failed' : 'reached' });
    if (!failures) return connected();
    if (!isBroken) {
      logger.warn({ failures }, 'no canary can be reached: our access to the web is broken, and leasing is paused');
    }
    isBroken = true;
    brokenMs = clock.monotonicMs();
    metrics.egressBroken.set(1);
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  /** A round that begins after this call. */
  const nextRound = () => {
    planned ??= (async () => {
      await asking;
      const pauseMs = beganMs + minIntervalMs - clock.monotonicMs();
      if (pauseMs > 0) await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
      planned = undefined;
      if (waiting > 0) await askOnce();
    })();
    return planned;
  };
  const hasCanaries = () => options.names.some((name) => !options.isTestHost(name));
  const broken = () => new VisitFailure('egress_broken', 'no canary can be reached');

  return {
    /** Called after each connection to a public address. */
    connected,
    /** Rejects with VisitFailure `egress_broken` while leasing is paused. */
    ready: async (): Promise<void> => {
      if (!isBroken) return;
      if (asking || clock.monotonicMs() - beganMs >= minIntervalMs) await askOnce();
      if (isBroken) throw broken();
    },
    /**
     * Called after a failed visit of `domain` that began at `startedMs` of the monotonic clock. Rejects with VisitFailure
     * `egress_broken` when no canary is reached either, or none was reached at some time during the visit.
     */
    ensureWorks: async (domain: string, startedMs: number, abort: AbortSignal): Promise<void> => {
      if (!hasCanaries() || options.isTestHost(domain)) return;
      waiting += 1;
      try {
        if (brokenMs < startedMs) await untilAborted(abort, Promise.race([reached.promise, nextRound()]));
      } finally {
        waiting -= 1;
      }
      if (brokenMs >= startedMs) throw broken();
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
