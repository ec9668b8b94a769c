import { exponentialBackoff, type RetryOptions, retry, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { ScannerStopping } from '../../domain/endings.ts';
import type { HeldLease, ScanLeases } from '../../outbound/scheduler/leases.ts';
import { createSupplyLog } from './supply-log.ts';

/**
 * Asks the scheduler for work and carries it out, `concurrency` scans at a time. While the scheduler does not answer, or
 * results could not be published, each worker waits longer and longer, within a bound. A stop takes no new lease, gives work in hand `graceMs` to end,
 * then aborts it, which gives its lease back.
 */
export interface LeaseLoopOptions {
  leases: ScanLeases;
  /** Rejects while results could not be published: a visit for nothing is neither polite nor useful. */
  ready(): Promise<void>;
  /** Never throws. */
  carryOut(lease: HeldLease, stopping: AbortSignal): Promise<void>;
  concurrency: number;
  clock: Clock;
  logger: Logger;
  graceMs: number;
}

export interface LeaseLoop {
  /** False while the scheduler does not answer. */
  readonly available: boolean;
  /** Scans in hand. */
  readonly inHand: number;
  stop(): Promise<void>;
}

const minRetryMs = 200;
const maxRetryMs = 5_000;

export function startLeaseLoop(options: LeaseLoopOptions): LeaseLoop {
  const { leases, clock } = options;
  const supply = createSupplyLog(options.logger);
  const noMoreLeases = new AbortController();
  const abortWork = new AbortController();
  let inHand = 0;
  let available = true;

  const nextLease = async () => {
    await untilAborted(noMoreLeases.signal, options.ready());
    try {
      const lease = await leases.next(noMoreLeases.signal);
      available = true;
      return lease;
    } catch (error) {
      available = noMoreLeases.signal.aborted;
      throw error;
    }
  };

  const carryOutNext = async () => {
    const lease = await nextLease();
    supply.answered();
    if (!lease) return;
    inHand += 1;
    await options.carryOut(lease, abortWork.signal).finally(() => {
      inHand -= 1;
    });
  };

  const work = async () => {
    const retrying: RetryOptions = {
      pauseMs: (attempt) => exponentialBackoff(attempt, { firstMs: minRetryMs, maxMs: maxRetryMs }),
      onFailure: supply.failed,
      abort: noMoreLeases.signal,
      clock,
    };
    // It rejects when the loop stops, and only then.
    while (!noMoreLeases.signal.aborted) await retry(carryOutNext, retrying).catch(() => {});
  };
  const workers = Promise.all(Array.from({ length: options.concurrency }, work));

  return {
    get available() {
      return available;
    },
    get inHand() {
      return inHand;
    },
    async stop() {
      noMoreLeases.abort(new ScannerStopping());
      const cancel = clock.after(options.graceMs, () => abortWork.abort(new ScannerStopping()));
      await workers;
      cancel();
    },
  };
}
