import { createDeadline, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { GrpcClient } from '@shopscope/grpc';
import {
  Admission,
  decodeOrigin,
  type LeaseResult,
  type NextRequest,
  type RenewLeaseResponse,
  type ScanLease,
  type ScanSchedulerServiceService,
} from '@shopscope/proto';
import { type Logger, noOrigin, type Origin } from '@shopscope/telemetry';
import { LeaseLostError, OptedOutError, PutOffError } from '../../domain/abort-reasons.ts';

export type SchedulerClient = Pick<
  GrpcClient<typeof ScanSchedulerServiceService>,
  'leaseScan' | 'renewLease' | 'finishLease'
>;

export interface HeldLease {
  scanId: string;
  domain: string;
  sequence: number;
  origin: Origin;
  /** The permit to publish the observation, from the latest renewal. It is '' if the scheduler does not sign. */
  readonly permit: string;
  /** Aborts with a LeaseLostError. */
  lost: AbortSignal;
  /**
   * Renews the lease.
   *
   * - The scheduler refuses -> throws LeaseLostError.
   * - The domain is opted out -> throws OptedOutError.
   * - The scheduler is unavailable -> the lease is held until one second before its last known expiry. Then it throws LeaseLostError. If a
   *   request was refused before because of an opt-out, it throws at once, because the opt-out may be that of the domain.
   */
  ensureHeld(): Promise<void>;
  /**
   * Renews the lease and waits until a request to the host may be sent. The scheduler paces the requests of all scanners.
   *
   * - The target has no capacity -> throws PutOffError. The target is opted out -> throws OptedOutError.
   * - The scheduler is unavailable -> it retries until one second before the last known expiry, then throws LeaseLostError. No request is
   *   therefore sent without an admission.
   * - The scheduler refuses the request as invalid -> throws the scheduler's error.
   */
  admit(request: NextRequest, abort: AbortSignal): Promise<void>;
  /** Never throws. A lease that cannot be finished expires. */
  finish(result: LeaseResult, reason: string): Promise<void>;
}

export type ScanLeases = ReturnType<typeof createScanLeases>;

export interface ScanLeasesOptions {
  client: SchedulerClient;
  scannerId: string;
  waitMs: number;
  clock: Clock;
  logger: Logger;
}

/** A lease that expires within this time counts as lost while the scheduler is unavailable. */
const safetyMarginMs = 1_000;
const callTimeoutMs = 3_000;
/** The pause between two calls while the scheduler is unavailable. */
const retryMs = 500;
/** A lease is shorter. This bounds the wait for an admission, whatever the clocks of the scheduler and this process show. */
const maxUnansweredMs = 60_000;

export function createScanLeases(options: ScanLeasesOptions) {
  return {
    /** Waits up to `waitMs` for the next due scan. Throws AppError if the scheduler is unavailable. */
    async next(abort: AbortSignal): Promise<HeldLease | undefined> {
      const { client, scannerId, waitMs } = options;
      const { lease } = await client.leaseScan(
        { scannerId, waitMs },
        { deadline: createDeadline(waitMs + callTimeoutMs), abort },
      );
      return lease && createHeldLease(lease, options);
    },
  };
}

function createHeldLease(lease: ScanLease, { client, clock, logger }: ScanLeasesOptions): HeldLease {
  const origin = lease.origin ? decodeOrigin(lease.origin) : noOrigin;
  const { scanId, domain, leaseToken } = lease;
  const lost = new AbortController();
  let { expiresAtMs, permit } = lease;
  let hasSeenOptOut = false;
  const lose = (): never => {
    const error = new LeaseLostError();
    lost.abort(error);
    throw error;
  };
  /** Resolves to undefined if the scheduler is unavailable and the lease has not expired. */
  const renew = async (nextRequest?: NextRequest): Promise<RenewLeaseResponse | undefined> => {
    const renewed = await client
      .renewLease({ scanId, domain, leaseToken, nextRequest }, { origin, deadline: createDeadline(callTimeoutMs) })
      .catch((error: unknown) => {
        // The same request would be refused again. Every other error may be temporary, for example a call that took too long.
        if (error instanceof AppError && error.code === 'invalid_request') throw error;
        logger.warn({ err: error, scanId }, 'the lease could not be renewed');
        return undefined;
      });
    if (renewed?.held) ({ expiresAtMs, permit } = renewed);
    else if (renewed || clock.now() > expiresAtMs - safetyMarginMs) lose();
    if (renewed?.admission === Admission.OPTED_OUT) {
      hasSeenOptOut = true;
      throw new OptedOutError();
    }
    if (renewed?.admission === Admission.PUT_OFF) throw new PutOffError();
    return renewed;
  };
  return {
    scanId,
    domain,
    sequence: lease.sequence,
    origin,
    get permit() {
      return permit;
    },
    lost: lost.signal,
    async ensureHeld() {
      if (!(await renew()) && hasSeenOptOut) lose();
    },
    async admit(nextRequest, abort) {
      let answeredMs = clock.monotonicMs();
      for (;;) {
        const renewed = await untilAborted(abort, renew(nextRequest));
        if (renewed) answeredMs = clock.monotonicMs();
        else if (clock.monotonicMs() - answeredMs > maxUnansweredMs) lose();
        const waitMs = renewed?.waitMs ?? retryMs;
        if (waitMs > 0) await clock.sleep(waitMs, abort);
        if (renewed && renewed.admission !== Admission.WAIT) return;
      }
    },
    async finish(result, reason) {
      try {
        await client.finishLease(
          { scanId, domain, leaseToken, result, reason },
          { origin, deadline: createDeadline(callTimeoutMs) },
        );
      } catch (error) {
        logger.warn({ err: error, scanId }, 'the lease could not be finished; it will expire');
      }
    },
  };
}
