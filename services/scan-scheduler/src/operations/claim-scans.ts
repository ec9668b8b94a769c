import type { Environment } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import {
  type ClaimOutcome,
  claimOutcome,
  isOfFormerCharge,
  type Job,
  jobIdOf,
  requestedJob,
  type ScanUnit,
} from '../domain/job.ts';
import type { JobDependencies } from './dependencies.ts';
import { requireDomains, requireIdentifier } from './require-valid.ts';

export interface ClaimScans {
  workspaceId: string;
  chargeId: string;
  domains: readonly string[];
  /** The unit that each new job bills. */
  unit: ScanUnit;
  /** Whether the id names one charge after the window of an Idempotency-Key, too. */
  isPermanent?: boolean | undefined;
}

export interface Claim {
  jobId: string;
  outcome: ClaimOutcome;
  created: boolean;
  /** The time of the latest claim by this charge. It is 0 for the job of another charge. */
  claimedAtMs: number;
}

/** This is larger than the maximum batch of every plan. */
const maxBatchSize = 1_000;
/** A further round is needed if the holder of a domain ends between the insert and the look-up. */
const maxRounds = 3;

/**
 * Claims a job per domain for a charge.
 *
 * 1. Renew the earlier claims of this charge: a retry finds the same jobs with the same ids, in any state. Jobs of an earlier charge of the
 *    same Idempotency-Key that have ended and were created at least a day ago are not included. A permanent charge has no earlier one.
 * 2. Insert the other jobs as `requested`. A unique index refuses a domain that another job of the workspace holds.
 * 3. Read the holders of refused domains: queued or running → joined, which is saved in the job; a claim of another charge → pending.
 *
 * - Concurrency: the unique index lets one of several concurrent claims win. A job that is canceled before the join is saved is not joined.
 * - The process is killed after step 2, or the deadline passes before step 3 -> claims without a scan request remain. The timer drops them.
 * - Deadline or cancellation -> no further statement starts. Nothing is therefore inserted after the caller's release.
 */
export async function claimScans<E extends Environment>(
  deps: JobDependencies<E>,
  input: ClaimScans,
  context: CallContext,
): Promise<Claim[]> {
  const { workspaceId, chargeId, domains, unit, isPermanent = false } = input;
  requireIdentifier('workspace_id', workspaceId);
  requireIdentifier('charge_id', chargeId);
  requireDomains(deps.environment, domains, maxBatchSize);
  const nowMs = deps.clock.now();
  const claims = new Map<string, Claim>();
  const created = new Set<string>();
  const addClaim = ({ domain, id: jobId, claimedAt }: Job, outcome: ClaimOutcome) => {
    const isOwn = outcome === 'claimed';
    const claimedAtMs = isOwn ? claimedAt.getTime() : 0;
    claims.set(domain, { jobId, outcome, created: isOwn && created.has(jobId), claimedAtMs });
  };

  // Step 1: the earlier claims of the charge.
  await deps.claims.refresh(input, new Date(nowMs), context.deadline.timeoutMs());
  for (let round = 1; round <= maxRounds && claims.size < domains.length; round++) {
    const latest = await deps.jobs.findLatestOfCharge(workspaceId, chargeId, domains, context.deadline.timeoutMs());
    for (const own of latest.values()) {
      if (!isOfFormerCharge(own, { isPermanent, nowMs })) addClaim(own, 'claimed');
    }
    const open = domains.filter((domain) => !claims.has(domain));
    if (open.length === 0) break;
    // Step 2: the new jobs.
    const inserts = open.map((domain) => {
      const id = jobIdOf(chargeId, domain, latest.get(domain));
      const claim = { id, workspaceId, chargeId, domain, unit, holdsPlace: true, origin: context.origin };
      return requestedJob(claim, new Date(deps.clock.now()));
    });
    for (const id of await deps.claims.insertNew(inserts, context.deadline.timeoutMs())) created.add(id);
    // Step 3: the holders of refused domains.
    for (const holder of await joinHolders(deps, input, open, context))
      addClaim(holder, claimOutcome(holder, chargeId));
  }
  return domains.map((domain) => {
    // The holder changed in every round. The caller has to call again.
    const claim = claims.get(domain) ?? { jobId: '', outcome: 'pending' as const, created: false, claimedAtMs: 0 };
    deps.metrics.claims.inc({ outcome: claim.outcome });
    return claim;
  });
}

/** Returns the holders of the domains. A job of another charge is left out until it is known to be joined. */
async function joinHolders<E extends Environment>(
  { claims }: JobDependencies<E>,
  { workspaceId, chargeId }: ClaimScans,
  domains: readonly string[],
  { deadline }: CallContext,
): Promise<Job[]> {
  const find = () => claims.findHolders(workspaceId, domains, deadline.timeoutMs());
  const isUnsaved = (holder: Job) => claimOutcome(holder, chargeId) === 'joined' && !holder.isJoined;
  const holders = await find();
  const unsaved = holders.filter(isUnsaved);
  if (unsaved.length === 0) return holders;
  await claims.markJoined(unsaved, deadline.timeoutMs());
  return (await find()).filter((holder) => !isUnsaved(holder));
}
