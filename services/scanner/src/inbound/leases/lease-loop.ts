import { exponentialBackoff, type RetryOptions, retry, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { ScannerStoppingError } from '../../domain/abort-reasons.ts';
import type { HeldLease, ScanLeases } from '../../outbound/scheduler/leases.ts';
import { createAvailabilityLog } from './availability-log.ts';

/**
 * Leases scans from the scheduler and carries them out.
 *
 * - Concurrency: `concurrency` workers, with one scan each.
 * - The scheduler, Kafka or the web is unavailable -> each worker retries, with a pause that doubles from 200 ms to 5 s.
 * - `stop` -> no new lease. Scans in progress have `graceMs` to end. Then they are aborted and release their leases.
 */
export interface LeaseLoopOptions {
  leases: ScanLeases;
  /**
   * Rejects while Kafka is unavailable or our access to the web is broken. A visit whose result cannot be published would be useless load
   * for the store.
   */
  ready(): Promise<void>;
  /** Never throws. */
  carryOut(lease: HeldLease, stopping: AbortSignal): Promise<void>;
  concurrency: number;
  clock: Clock;
  logger: Logger;
  graceMs: number;
}

const minRetryMs = 200;
const maxRetryMs = 5_000;

export function startLeaseLoop(options: LeaseLoopOptions) {
  const { leases, clock } = options;
  const availability = createAvailabilityLog(options.logger);
  const stopLeasing = new AbortController();
  const abortScans = new AbortController();
  let inProgress = 0;
  let available = true;

  const nextLease = async () => {
    await untilAborted(stopLeasing.signal, options.ready());
    try {
      const lease = await leases.next(stopLeasing.signal);
      available = true;
      return lease;
    } catch (error) {
      available = stopLeasing.signal.aborted;
      throw error;
    }
  };

  const carryOutNext = async () => {
    const lease = await nextLease();
    availability.succeeded();
    if (!lease) return;
    inProgress += 1;
    await options.carryOut(lease, abortScans.signal).finally(() => {
      inProgress -= 1;
    });
  };

  const work = async () => {
    const retrying: RetryOptions = {
      pauseMs: (attempt) => exponentialBackoff(attempt, { firstMs: minRetryMs, maxMs: maxRetryMs }),
      onFailure: availability.failed,
      abort: stopLeasing.signal,
      clock,
    };
    // The retry rejects only when the loop stops.
    while (!stopLeasing.signal.aborted) await retry(carryOutNext, retrying).catch(() => {});
  };
  const workers = Promise.all(Array.from({ length: options.concurrency }, work));

  return {
    /** Whether calls to the scheduler succeed. True before the first call. */
    get available() {
      return available;
    },
    get inProgress() {
      return inProgress;
    },
    async stop(): Promise<void> {
      stopLeasing.abort(new ScannerStoppingError());
      const cancel = clock.after(options.graceMs, () => abortScans.abort(new ScannerStoppingError()));
      await workers;
      cancel();
    },
  };
}
