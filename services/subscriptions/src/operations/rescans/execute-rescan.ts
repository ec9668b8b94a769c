import { createHash } from 'node:crypto';
import type { Deadline } from '@shopscope/async';
import { findSettled, RequestBilling } from '@shopscope/charging';
import { chargeScans, claimScans } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { deriveId, newTraceparent } from '@shopscope/ids';
import { ScanUnit, unitsOf } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Execution, Rescan } from '../../domain/rescan.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AblePayer } from './find-rescan-payer.ts';

type ExecuteDependencies<E extends Environment> = Pick<
  Dependencies<E>,
  'environment' | 'charging' | 'rescans' | 'logger'
>;

/**
 * Requests the scan of one store and charges it, as an explicit scan is requested and charged:
 *
 * 1. Claim the scan, or join the one that is in flight. Joining is free.
 * 2. Reserve one refresh_requested. In the commit, save the job, make the scan request durable, and then the usage event. If the rescan was
 *    withdrawn meanwhile, nothing is requested or billed.
 *
 * - The process is killed at any step -> another execution repeats all steps with the same charge id. It finds the same job and the same
 *   charge, and nothing is billed twice.
 * - A call fails -> the next execution repeats it after a pause.
 * - An earlier execution may have been billed, and another scan is joined -> the charge shows it, without a further unit.
 */
export async function executeRescan<E extends Environment>(
  { environment, charging, rescans, logger }: ExecuteDependencies<E>,
  rescan: Rescan,
  payer: AblePayer,
  deadline: Deadline,
): Promise<Execution> {
  const { chargeId, workspaceId, domain } = rescan;
  const origin = originOf(environment, rescan);
  const unit = ScanUnit.REFRESH_REQUESTED;
  const scans = { workspaceId, chargeId, hasIdempotencyKey: true, isPermanent: true, unit, origin, deadline };
  try {
    // Step 1: the claim.
    const claims = await claimScans(charging, scans, [domain]);
    const jobId = claims.jobIds.get(domain) ?? '';
    if (claims.claimed.length === 0 && rescan.jobId === null) return { rescan, outcome: 'joined', jobId };
    // Step 2: the charge.
    const { charged, claims: paid } = await chargeScans(charging, {
      scans,
      claims,
      units: unitsOf({ refreshRequested: claims.claimed.length }),
      unit: 'refreshRequested',
      operation: 'rescanStore',
      fingerprint: fingerprintOf(rescan),
      caller: payer,
      billing: new RequestBilling(),
      async beforeEvent({ claims: { claimed } }, commit) {
        if (claimed.length > 0) await rescans.setJob(rescan, jobId, commit.timeoutMs());
      },
    });
    if (charged.units.refreshRequested === 0) return { rescan, outcome: 'joined', jobId };
    const paidJobId = paid.claimed.length > 0 ? jobId : (rescan.jobId ?? jobId);
    return { rescan, outcome: 'billed', jobId: paidJobId, billedAt: new Date(charging.clock.now()) };
  } catch (error) {
    const until = error instanceof AppError && error.code === 'payment_required' ? error.details?.reset_at : undefined;
    if (until) return { rescan, outcome: 'refused', until: new Date(until) };
    logger.warn({ err: error, chargeId, workspaceId, domain }, 'a rescan failed; it is repeated');
    return { rescan, outcome: 'failed' };
  }
}

/**
 * Ends a rescan with a job that must not be requested any more. Its charge shows whether an earlier execution was billed. Otherwise none ever
 * will be, because its attempt is void. A claim without a request ends in scan-scheduler.
 *
 * - metering is unavailable -> another execution repeats it.
 */
export async function endRescan<E extends Environment>(
  { environment, charging, logger }: Omit<ExecuteDependencies<E>, 'rescans'>,
  rescan: Rescan & { jobId: string },
  unbilled: 'canceled' | 'late',
  caller: AblePayer,
  deadline: Deadline,
): Promise<Execution> {
  const { chargeId, workspaceId, domain, jobId } = rescan;
  const charge = { chargeId, fingerprint: fingerprintOf(rescan), isPermanent: true, caller, deadline };
  try {
    const units = await findSettled(charging, { ...charge, origin: originOf(environment, rescan) });
    if (!units?.refreshRequested) return { rescan, outcome: unbilled };
    return { rescan, outcome: 'billed', jobId, billedAt: new Date(charging.clock.now()) };
  } catch (error) {
    logger.warn(
      { err: error, chargeId, workspaceId, domain },
      'the charge of a rescan could not be read; it is repeated',
    );
    return { rescan, outcome: 'failed' };
  }
}

const fingerprintOf = ({ domain }: Pick<Rescan, 'domain'>): Buffer => createHash('sha256').update(domain).digest();

/** A rescan has a request id of its own, the same in each execution. */
export const originOf = (environment: Environment, { chargeId }: Pick<Rescan, 'chargeId'>): Origin => ({
  requestId: deriveId('req', chargeId),
  traceparent: newTraceparent(),
  environment,
});
