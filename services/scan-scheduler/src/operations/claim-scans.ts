import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';
import { isCanonicalDomain } from '../domain/domain.ts';
import { type ClaimOutcome, claimOutcome, isOfFormerCharge, type Job, jobIdOf } from '../domain/job.ts';
import type { Dependencies } from './dependencies.ts';

export interface ClaimScans {
  workspaceId: string;
  chargeId: string;
  domains: readonly string[];
  /** What the jobs remember as theirs; the caller's by default. */
  origin?: Origin | undefined;
}

export interface Claim {
  jobId: string;
  outcome: ClaimOutcome;
  /** This call made the job. */
  created: boolean;
  /** When this charge claimed the job last; 0 when it is another's. */
  claimedAtMs: number;
}

/** Above every plan's batch; bounds what one call can insert. */
const domainsMax = 1_000;
/** A place whose holder ends between the insert and the look-up is tried again this often. */
const rounds = 3;

/**
 * Claims a job per domain for a charge. The unique index decides, so that of any number of concurrent claims one wins:
 *
 * 1. Renew what this charge claimed before: its retry finds the same jobs under the same ids, whatever became of them.
 *    A job that ended, of the charge that the same Idempotency-Key named a day ago, is none of these.
 * 2. Insert the rest as `requested`; refused inserts have somebody in the way.
 * 3. Look up who is: queued or running → joined, another charge's claim → pending.
 *
 * Killed after 2, or out of time before 3: claims without a scan request, which the timer drops. Out of time, no further
 * statement begins, so that nothing is inserted after the caller has released what it had claimed.
 */
export async function claimScans(deps: Dependencies, input: ClaimScans, caller: CallContext): Promise<Claim[]> {
  assertValid(input);
  const { workspaceId, chargeId, domains } = input;
  const nowMs = deps.clock.now();
  const claims = new Map<string, Claim>();
  const made = new Set<string>();
  const settle = ({ domain, id: jobId, claimedAt }: Job, outcome: ClaimOutcome) => {
    const isOwn = outcome === 'claimed';
    const claimedAtMs = isOwn ? claimedAt.getTime() : 0;
    claims.set(domain, { jobId, outcome, created: isOwn && made.has(jobId), claimedAtMs });
  };

  await deps.claims.refresh(input, new Date(nowMs), caller.deadline.timeoutMs());
  for (let round = 1; round <= rounds && claims.size < domains.length; round++) {
    const latest = await deps.jobs.findLatestOfCharge(workspaceId, chargeId, domains, caller.deadline.timeoutMs());
    for (const own of latest.values()) {
      if (!isOfFormerCharge(own, nowMs)) settle(own, 'claimed');
    }
    const open = domains.filter((domain) => !claims.has(domain));
    if (open.length === 0) break;
    const inserts = open.map((domain) => {
      const id = jobIdOf(chargeId, domain, latest.get(domain));
      return newClaim(id, { ...input, domain }, input.origin ?? caller.origin, deps.clock.now());
    });
    for (const id of await deps.claims.insertNew(inserts, caller.deadline.timeoutMs())) made.add(id);
    for (const holder of await deps.claims.findHolders(workspaceId, open, caller.deadline.timeoutMs())) {
      settle(holder, claimOutcome(holder, chargeId));
    }
  }
  return domains.map((domain) => {
    // Holders that came and went in every round: the caller asks again.
    const claim = claims.get(domain) ?? { jobId: '', outcome: 'pending' as const, created: false, claimedAtMs: 0 };
    deps.metrics.claims.inc({ outcome: claim.outcome });
    return claim;
  });
}

function newClaim(
  id: string,
  input: Omit<ClaimScans, 'domains'> & { domain: string },
  origin: Origin,
  nowMs: number,
): Job {
  const at = new Date(nowMs);
  return {
    id,
    workspaceId: input.workspaceId,
    chargeId: input.chargeId,
    type: 'scan',
    state: 'requested',
    domain: input.domain,
    holdsPlace: true,
    scanId: null,
    minSequence: 0,
    attempts: 0,
    error: null,
    origin: { requestId: origin.requestId, traceparent: origin.traceparent },
    createdAt: at,
    claimedAt: at,
    startedAt: null,
    finishedAt: null,
  };
}

function assertValid({ workspaceId, chargeId, domains }: ClaimScans): void {
  if (!workspaceId) throw invalidField('workspace_id', 'is required');
  if (!chargeId) throw invalidField('charge_id', 'is required');
  if (domains.length > domainsMax) throw invalidField('domains', `has more than ${domainsMax} entries`);
  if (new Set(domains).size < domains.length) throw invalidField('domains', 'names a domain twice');
  const wrong = domains.findIndex((domain) => !isCanonicalDomain(domain));
  if (wrong >= 0) throw invalidField(`domains[${wrong}]`, 'is not a registrable domain');
}
