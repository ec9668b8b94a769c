import type { ChargeResult } from '@shopscope/charging';
import { chargeScans, claimScans, releaseScans, type ScanRequestContext } from '@shopscope/enrich';
import { AppError } from '@shopscope/errors';
import { isZero, ScanUnit, unitsOf } from '@shopscope/proto';
import type { PendingCharge } from '../../idempotency/run-idempotently.ts';
import type { Dependencies } from '../dependencies.ts';
import type { JobBody } from '../jobs/job-body.ts';
import { isLive, scanBodyOf } from '../jobs/scan-job-body.ts';

/**
 * Requests a scan of one domain. The steps have the same order as in enrich:
 *
 * 1. Claim the scan, or join the job of the workspace that is queued or running.
 * 2. Read the job, for the response: nothing may fail after the charge.
 * 3. Charge one refresh_requested for a new job. In the commit, the scan request becomes durable, and then the usage event.
 * 4. Respond.
 *
 * Failures have the same effects as in enrich (libs/enrich). Another workspace's scan of the domain is shared, and each job is billed.
 *
 * `domain` is canonical.
 */
export type StoreScanRequest = PendingCharge & { domain: string };

const maxRounds = 3;

export async function requestStoreScan(
  deps: Dependencies,
  request: StoreScanRequest,
): Promise<{ job: JobBody } & Partial<Pick<ChargeResult, 'remaining' | 'voidCharge'>>> {
  const { domain, chargeId, fingerprint, caller, origin, deadline } = request;
  const { workspaceId } = caller;
  const hasIdempotencyKey = fingerprint !== undefined;
  const unit = ScanUnit.REFRESH_REQUESTED;
  const scans = { workspaceId, chargeId, hasIdempotencyKey, unit, origin, deadline };
  const { claims, job } = await claimJob(deps, scans, domain);
  // Step 3: the charge.
  const units = unitsOf({ refreshRequested: claims.claimed.length });
  // A charge with an Idempotency-Key is made even if it has no units: an earlier execution may have settled it.
  if (isZero(units) && fingerprint === undefined) return { job };
  const { charged, claims: paid } = await chargeScans(deps, {
    ...request,
    scans,
    claims,
    units,
    unit: 'refreshRequested',
  });
  // A charge that was settled before may report that it pays for no scan. The response is still the job that an earlier execution made.
  if (!paid.jobIds.has(domain) && claims.created.has(domain))
    throw new AppError('internal', 'The service could not answer; retry in a few seconds.');
  // Step 4: the response.
  const { remaining, voidCharge } = charged;
  return { job, remaining, voidCharge };
}

/** Claims the scan and reads its job. If the job that it joins ends meanwhile, the scan is claimed again. */
async function claimJob(deps: Dependencies, scans: ScanRequestContext, domain: string) {
  const { workspaceId, origin, deadline } = scans;
  for (let round = 1; round <= maxRounds; round++) {
    // Step 1: the claim.
    const claims = await claimScans(deps, scans, [domain]);
    // Step 2: the job.
    const jobId = claims.jobIds.get(domain) ?? '';
    const job = await deps.scheduler.getJob({ workspaceId, jobId }, origin, deadline).catch(async (error: unknown) => {
      await releaseScans(deps, scans, claims);
      throw error;
    });
    if (job && (claims.claimed.length > 0 || isLive(job))) return { claims, job: scanBodyOf(job) };
  }
  throw new AppError('unavailable', 'Scans of the domain are ending just now; retry shortly.');
}
