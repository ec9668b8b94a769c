import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { GrpcClient } from '@shopscope/grpc';
import type { LeaseResult, ScanLease, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Logger, Origin } from '@shopscope/telemetry';
import { LeaseLost } from '../../domain/endings.ts';

export type SchedulerClient = Pick<
  GrpcClient<typeof ScanSchedulerServiceService>,
  'leaseScan' | 'renewLease' | 'finishLease'
>;

/** A scan that is this scanner's until its lease ends. */
export interface HeldLease {
  scanId: string;
  domain: string;
  sequence: number;
  origin: Origin;
  /** Aborted (with LeaseLost) once the lease is known to be lost. */
  lost: AbortSignal;
  /**
   * Renews the lease. Throws LeaseLost when it is another's; while the scheduler does not answer, the lease is held until
   * the end that was promised last.
   */
  ensureHeld(): Promise<void>;
  /** Never throws: a lease that cannot be given back runs out. */
  finish(result: LeaseResult, reason: string): Promise<void>;
}

export interface ScanLeases {
  /** The next due scan, waiting for one a while. Throws AppError when the scheduler does not answer. */
  next(abort: AbortSignal): Promise<HeldLease | undefined>;
}

export interface ScanLeasesOptions {
  client: SchedulerClient;
  scannerId: string;
  waitMs: number;
  clock: Clock;
  logger: Logger;
}

/** A lease this close to its promised end is not relied upon without the scheduler's word. */
const safetyMs = 1_000;
const callMs = 3_000;

export function createScanLeases(options: ScanLeasesOptions): ScanLeases {
  return {
    async next(abort) {
      const { client, scannerId, waitMs } = options;
      const { lease } = await client.leaseScan(
        { scannerId, waitMs },
        { deadline: createDeadline(waitMs + callMs), abort },
      );
      return lease && held(lease, options);
    },
  };
}

function held(lease: ScanLease, { client, clock, logger }: ScanLeasesOptions): HeldLease {
  const origin = lease.origin ?? { requestId: '', traceparent: '' };
  const { scanId, leaseToken } = lease;
  const lost = new AbortController();
  let expiresAtMs = lease.expiresAtMs;
  const lose = (): never => {
    const error = new LeaseLost();
    lost.abort(error);
    throw error;
  };
  return {
    scanId,
    domain: lease.domain,
    sequence: lease.sequence,
    origin,
    lost: lost.signal,
    async ensureHeld() {
      const renewed = await client
        .renewLease({ scanId, leaseToken }, { origin, deadline: createDeadline(callMs) })
        .catch((error: unknown) => {
          logger.warn({ err: error, scanId }, 'the lease could not be renewed');
          return undefined;
        });
      if (renewed?.held) expiresAtMs = renewed.expiresAtMs;
      else if (renewed || clock.now() > expiresAtMs - safetyMs) lose();
    },
    async finish(result, reason) {
      try {
        await client.finishLease({ scanId, leaseToken, result, reason }, { origin, deadline: createDeadline(callMs) });
      } catch (error) {
        logger.warn({ err: error, scanId }, 'the lease could not be given back; it will run out');
      }
    },
  };
}
