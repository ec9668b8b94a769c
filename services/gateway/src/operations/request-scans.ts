import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { ClaimOutcome, type ClaimRelease, type ScanRequested } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { ScanSchedulerClient } from '../outbound/grpc/scan-scheduler.ts';
import type { EventPublisher } from '../outbound/kafka/events.ts';

/**
 * Scans of a charge: claimed first (nothing is billed or published yet), then made durable once their units are
 * reserved, or released. While another request has not decided a claim yet, all are released and asked for again, for up
 * to 2 s: of requests that overlap none waits with claims in hand, so that they cannot wait for each other. Job ids
 * belong to the charge and the domain, so a retry publishes the same requests and they are carried out once.
 *
 * An Idempotency-Key names the same charge for all its executions, and another one may have paid for what this one finds
 * claimed. So what is released is named, and is only what this call itself has made, and the scheduler keeps what
 * has been claimed again since (docs/decisions/0021-release-claims-by-job-and-claim-time.md).
 */
export interface ScansOfCharge {
  workspaceId: string;
  chargeId: string;
  /** True when other executions may have the same charge. */
  isNamed: boolean;
  origin: Origin;
  deadline: Deadline;
}

export interface ClaimedScans {
  /** Job id of every domain asked, claimed or joined. */
  jobs: ReadonlyMap<string, string>;
  /** Domains whose job is this charge's: to be billed and published. */
  claimed: readonly string[];
  /** Those of them whose job was made just now, with the time of the claim, which tells it from a later one. */
  created: ReadonlyMap<string, number>;
}

export interface RequestScans {
  /** Throws `unavailable` when other requests' claims stay undecided; then what it has claimed is released. */
  claim(scans: ScansOfCharge, domains: readonly string[]): Promise<ClaimedScans>;
  /** Resolves when the requests are durable. */
  publish(scans: ScansOfCharge, claims: ClaimedScans): Promise<void>;
  /** Gives back what was made just now. Best effort: claims that are not released end by themselves. */
  release(scans: ScansOfCharge, claims: Pick<ClaimedScans, 'jobs' | 'created'>): Promise<void>;
}

const undecidedMs = 2_000;
/** Pause before asking again; a random one, so that requests that met once do not meet again. */
const askAgainMs = { least: 50, most: 150 } as const;
const publishTimeoutMs = 1_000;
const requestTimeoutMs = 3_000;
const releaseTimeoutMs = 1_000;

export function createRequestScans(options: {
  scans: ScanSchedulerClient;
  events: Pick<EventPublisher, 'publishScans'>;
  clock: Clock;
  /** From 0 to 1; tests inject it. */
  random?: () => number;
}): RequestScans {
  const { scans: peer, events, clock, random = Math.random } = options;

  const drop = async ({ workspaceId, chargeId, origin }: ScansOfCharge, claims: ClaimRelease[]) => {
    // Not the request's deadline: claims are released after a cancellation as well.
    const deadline = createDeadline(releaseTimeoutMs, { clock });
    await peer.releaseClaims({ workspaceId, chargeId, claims }, origin, deadline).catch(() => {});
  };

  const release: RequestScans['release'] = async (scans, { jobs, created }) => {
    if (created.size === 0) return;
    const claims = [...created].map(([domain, claimedAtMs]) => ({ jobId: jobs.get(domain) ?? '', claimedAtMs }));
    await drop(scans, claims);
  };

  /** When the answer did not come, nobody knows what was claimed; of a charge that is this call's alone, all may go. */
  const ask = async (scans: ScansOfCharge, domains: string[]) => {
    const { workspaceId, chargeId, origin, deadline } = scans;
    try {
      return await peer.claimScans({ workspaceId, chargeId, domains }, origin, deadline);
    } catch (error) {
      if (!scans.isNamed) await drop(scans, []);
      throw error;
    }
  };

  const claimAll = async (scans: ScansOfCharge, domains: readonly string[]): Promise<ClaimedScans> => {
    const sorted = [...domains].sort();
    const endMs = clock.monotonicMs() + undecidedMs;
    for (;;) {
      const claims = await ask(scans, sorted);
      const jobs = new Map<string, string>();
      const claimed = new Set<string>();
      const created = new Map<string, number>();
      for (const [index, domain] of sorted.entries()) {
        const claim = claims[index];
        if (claim?.outcome === ClaimOutcome.CLAIMED) claimed.add(domain);
        if (claim?.created) created.set(domain, claim.claimedAtMs);
        if (claim?.outcome === ClaimOutcome.CLAIMED || claim?.outcome === ClaimOutcome.JOINED)
          jobs.set(domain, claim.jobId);
      }
      if (jobs.size === sorted.length)
        return { jobs, claimed: domains.filter((domain) => claimed.has(domain)), created };
      await release(scans, { jobs, created });
      const pauseMs = askAgainMs.least + random() * (askAgainMs.most - askAgainMs.least);
      if (clock.monotonicMs() + pauseMs > endMs) {
        throw new AppError('unavailable', 'Another request is asking for the same scans; retry shortly.');
      }
      await clock.sleep(pauseMs);
    }
  };

  return {
    release,
    async claim(scans, domains) {
      if (domains.length === 0) return { jobs: new Map(), claimed: [], created: new Map() };
      return claimAll(scans, domains);
    },
    async publish({ workspaceId, chargeId, origin, deadline }, { jobs, claimed }) {
      if (claimed.length === 0) return;
      const requests: ScanRequested[] = claimed.map((domain) => ({
        jobId: jobs.get(domain) ?? '',
        workspaceId,
        domain,
        chargeId,
        requestedAtMs: clock.now(),
      }));
      try {
        await events.publishScans(requests, origin, deadline.timeoutMs(publishTimeoutMs));
      } catch {
        await peer.requestScans(requests, origin, deadline.capped(requestTimeoutMs));
      }
    },
  };
}
