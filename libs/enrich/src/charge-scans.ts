import type { Deadline } from '@shopscope/async';
import {
  AllowanceLentError,
  type ChargeAttempt,
  type ChargeDependencies,
  type ChargeResult,
  chargeUnits,
  type NamedCharge,
  noFingerprint,
  OutcomeUnknownError,
} from '@shopscope/charging';
import { AppError } from '@shopscope/errors';
import type { Units } from '@shopscope/proto';
import {
  publishScans,
  releaseScans,
  type ScanClaims,
  type ScanDependencies,
  type ScanRequestContext,
} from './request-scans.ts';

/**
 * Charges the units of a request that claimed scans. In the commit, the scan requests become durable, and then the usage event.
 *
 * - The charge was settled before -> it pays for the scans of that execution only. Claims that this call created are released, and `claims`
 *   has the paid ones.
 * - The charge fails -> the claims of this request are released, unless another execution may have paid for them:
 *   docs/decisions/0021-release-claims-by-job-and-claim-time.md.
 */
export type ChargeScansRequest = Pick<NamedCharge, 'operation' | 'fingerprint' | 'caller' | 'billing'> & {
  scans: ScanRequestContext;
  claims: ScanClaims;
  units: Units;
  /** Called first in the commit, with the claims that the charge pays for. If it rejects, nothing is requested or billed. */
  beforeEvent?: ((paid: PaidScans, deadline: Deadline) => Promise<void>) | undefined;
  /** The unit that each scan bills. */
  unit: 'lookupLive' | 'refreshRequested';
};

export interface PaidScans {
  claims: ScanClaims;
  units: Units;
  attempt: ChargeAttempt;
}

export async function chargeScans(
  deps: ScanDependencies & ChargeDependencies,
  { scans, claims, units, unit, fingerprint, beforeEvent, ...charge }: ChargeScansRequest,
): Promise<{ charged: ChargeResult; claims: ScanClaims }> {
  const { chargeId, hasIdempotencyKey, isPermanent, origin, deadline } = scans;
  let paid = claims;
  let mayBeReserved = false;
  let reserved = false;
  let published = false;
  try {
    // Throws if the caller disconnected while the scans were claimed. Metering is not called then.
    deadline.timeoutMs();
    mayBeReserved = true;
    const charged = await chargeUnits(deps, {
      ...charge,
      chargeId,
      isPermanent,
      units,
      origin,
      deadline,
      fingerprint: fingerprint ?? noFingerprint,
      onReserved() {
        reserved = true;
      },
      async beforeEvent(billed, deadline, attempt) {
        paid = attempt.isSettled ? settledBefore(billed[unit], claims) : claims;
        await beforeEvent?.({ claims: paid, units: billed, attempt }, deadline);
        await publishScans(deps, { ...scans, deadline }, paid);
        published = true;
        await releaseScans(deps, scans, unpaidOf(claims, paid));
      },
    });
    return { charged, claims: paid };
  } catch (error) {
    // Jobs whose requests were published run unbilled. Claims without a published request would block other requests.
    const isUnpaid = !hasIdempotencyKey || !mayBeReserved || reserved || isRefusal(error);
    if (!published && isUnpaid && !(error instanceof OutcomeUnknownError)) await releaseScans(deps, scans, claims);
    throw error;
  }
}

/**
 * Whether metering has decided that nothing is billed. After any other error, a later execution of a charge with an
 * Idempotency-Key may have paid for the claims of this one.
 */
const isRefusal = (error: unknown) =>
  error instanceof AllowanceLentError ||
  (error instanceof AppError && (error.code === 'payment_required' || error.code === 'conflict'));

/**
 * Returns the claims of the execution that settled the charge. Jobs that this call has created are not among them, for example those of
 * domains that have become stale since then. They need a new request.
 */
function settledBefore(paidScans: number, claims: ScanClaims): ScanClaims {
  const before = claims.claimed.filter((domain) => !claims.created.has(domain));
  const paid = new Set(before.slice(0, paidScans));
  const unpaid = new Set(claims.claimed.filter((domain) => !paid.has(domain)));
  return {
    ...claims,
    jobIds: new Map([...claims.jobIds].filter(([domain]) => !unpaid.has(domain))),
    claimed: claims.claimed.filter((domain) => paid.has(domain)),
  };
}

function unpaidOf({ jobIds, created }: ScanClaims, { claimed }: ScanClaims) {
  const paid = new Set(claimed);
  return { jobIds, created: new Map([...created].filter(([domain]) => !paid.has(domain))) };
}
