import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { ScanUnit } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { ChargeResult } from '../../charging/charge-units.ts';
import type { RequestBilling } from '../../charging/request-billing.ts';
import { isZero, unitsOf } from '../../charging/units.ts';
import type { Caller } from '../../keys/caller.ts';
import type { ChargeScans } from '../../scans/charge-scans.ts';
import type { RequestScans, ScanRequestContext } from '../../scans/request-scans.ts';
import type { ScanSchedulerClient } from '../../scans/scheduler-client.ts';
import { isLive, jobBodyOf } from '../jobs/job-body.ts';
import type { JobBody } from '../jobs/jobs.ts';

/**
 * Requests a scan of one domain. The order of the steps is that of enrich:
 *
 * 1. Claim the scan, or join the job of the workspace that is queued or running.
 * 2. Read the job, for the response: nothing may fail after the charge.
 * 3. Charge one refresh_requested for a new job. The commit begins, the scan request becomes durable, and then the usage event.
 * 4. Respond.
 *
 * Failures are those of enrich ({@link ChargeScans}). Another workspace's scan of the domain is shared, and each job is billed.
 */
export interface RequestStoreScanRequest {
  /** Canonical. */
  domain: string;
  chargeId: string;
  /** Hash of domain and body of a request with an Idempotency-Key, else undefined. */
  fingerprint: Buffer | undefined;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
}

const maxRounds = 3;

export type RequestStoreScan = (
  request: RequestStoreScanRequest,
) => Promise<{ job: JobBody } & Partial<Pick<ChargeResult, 'remaining' | 'voidCharge'>>>;

export function createRequestStoreScan(options: {
  scheduler: Pick<ScanSchedulerClient, 'getJob'>;
  requestScans: RequestScans;
  chargeScans: ChargeScans;
}): RequestStoreScan {
  const { scheduler, requestScans, chargeScans } = options;

  /** Claims the scan and reads its job. The job that it joins may end meanwhile: then the scan is claimed again. */
  const claimJob = async (scans: ScanRequestContext, domain: string) => {
    const { workspaceId, origin, deadline } = scans;
    for (let round = 1; round <= maxRounds; round++) {
      const claims = await requestScans.claim(scans, [domain]);
      const jobId = claims.jobIds.get(domain) ?? '';
      const job = await scheduler.getJob({ workspaceId, jobId }, origin, deadline).catch(async (error: unknown) => {
        await requestScans.release(scans, claims);
        throw error;
      });
      if (job && (claims.claimed.length > 0 || isLive(job))) return { claims, job: jobBodyOf(job) };
    }
    throw new AppError('unavailable', 'Scans of the domain are ending just now; retry shortly.');
  };

  return async ({ domain, chargeId, fingerprint, caller, origin, deadline, billing }) => {
    const { workspaceId } = caller;
    const hasIdempotencyKey = fingerprint !== undefined;
    const unit = ScanUnit.REFRESH_REQUESTED;
    const scans = { workspaceId, chargeId, hasIdempotencyKey, unit, origin, deadline };
    const { claims, job } = await claimJob(scans, domain);
    const units = unitsOf({ refreshRequested: claims.claimed.length });
    // A charge with an Idempotency-Key is made even over no units: an earlier execution may have settled it.
    if (isZero(units) && fingerprint === undefined) return { job };
    const { charged, claims: paid } = await chargeScans({
      ...{ scans, claims, units, unit: 'refreshRequested', operation: 'requestScan' },
      ...{ fingerprint, caller, billing },
    });
    // A charge that was settled before may say that it pays for no scan. The job that an earlier execution made is its response all the same.
    if (!paid.jobIds.has(domain) && claims.created.has(domain))
      throw new AppError('internal', 'The service could not answer; retry in a few seconds.');
    const { remaining, voidCharge } = charged;
    return { job, remaining, voidCharge };
  };
}
