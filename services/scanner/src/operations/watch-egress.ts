import { untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { errorLine, type Logger } from '@shopscope/telemetry';
import { VisitFailure } from '../domain/reasons.ts';
import type { ScannerMetrics } from '../metrics.ts';
import type { CanaryProbe } from '../outbound/web/canary.ts';

/**
 * Distinguishes outages of our own access to the web from outages of stores. It uses canaries: names that are nearly always reachable.
 *
 * - Trigger: a visit fails in a way that may be ours. The failure counts once something was reached after it: a host of another visit, or a
 *   canary. Canaries therefore get requests only while no visit reaches a host for some seconds.
 * - No canary is reached -> the scan is released as `egress_broken`, and the scanner leases no further scan.
 * - While leasing is paused, the canaries are probed before each lease, at most every 5 s. Reaching one ends the pause.
 * - Mapped hosts need no access to the web. Their failures are not caused by it, and a mapped canary is skipped.
 * - Concurrency: one round at a time, for all scans of the process.
 * - Bounds: a round takes at most 5 s, and rounds start at most every 5 s. A failed visit therefore waits at most 10 s.
 */
export type EgressWatch = ReturnType<typeof createEgressWatch>;

export interface EgressWatchOptions {
  /** Nothing is watched if the list is empty. */
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
  /** The latest time at which no canary was reached. */
  let brokenMs = Number.NEGATIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  /** The number of failed visits that wait for a proof. */
  let waiting = 0;
  let asking: Promise<void> | undefined;
  /** The next round, if it has not started yet. */
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
  /** Returns a round that starts after this call. */
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
    /** Call it after each connection to a public address. */
    connected,
    /** Rejects with VisitFailure `egress_broken` while leasing is paused. */
    ready: async (): Promise<void> => {
      if (!isBroken) return;
      if (asking || clock.monotonicMs() - beganMs >= minIntervalMs) await askOnce();
      if (isBroken) throw broken();
    },
    /**
     * Call it after a failed visit of `domain` that started at `startedMs` of the monotonic clock. Rejects with VisitFailure
     * `egress_broken` if no canary is reached either, or if none was reached at some time during the visit.
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

/** Probes all canaries at the same time. Returns undefined if one is reached or there is none, otherwise the failure of each. */
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
