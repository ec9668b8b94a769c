import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { ClaimOutcome, type ScanRequested } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Budget } from '../domain/budget.ts';
import type { ScansPeer } from '../outbound/grpc/scans.ts';
import type { EventPublisher } from '../outbound/kafka/events.ts';

/**
 * Scans of a charge: claimed first (nothing is billed or published yet), then made durable once their units are
 * reserved, or released. While another request has not decided a claim yet, all are given back and asked for again, for up
 * to 2 s: of requests that overlap none waits with claims in hand, so that they cannot wait for each other. Job ids
 * belong to the charge and the domain, so a retry publishes the same requests and they are carried out once.
 */
export interface ScansOfCharge {
  workspaceId: string;
  chargeId: string;
  origin: Origin;
  budget: Budget;
}

export interface ClaimedScans {
  /** Job id of every domain asked, claimed or joined. */
  jobs: ReadonlyMap<string, string>;
  /** Domains whose job is this charge's: to be billed and published. */
  claimed: readonly string[];
  /** Those of them whose job was made just now. */
  created: ReadonlySet<string>;
}

export interface RequestScans {
  /** Throws `unavailable` when other requests' claims stay undecided; then this charge's claims are released. */
  claim(scans: ScansOfCharge, domains: readonly string[]): Promise<ClaimedScans>;
  /** Resolves when the requests are durable. */
  publish(scans: ScansOfCharge, claims: ClaimedScans): Promise<void>;
  /** Best effort: claims that are not released end by themselves. */
  release(scans: ScansOfCharge): Promise<void>;
}

const undecidedMs = 2_000;
/** Pause before asking again; a random one, so that requests that met once do not meet again. */
const askAgainMs = { least: 50, most: 150 } as const;
const publishTimeoutMs = 1_000;
const requestTimeoutMs = 3_000;
const releaseTimeoutMs = 1_000;

export function createRequestScans(options: {
  scans: ScansPeer;
  events: Pick<EventPublisher, 'publishScans'>;
  clock: Clock;
  /** From 0 to 1; tests inject it. */
  random?: () => number;
}): RequestScans {
  const { scans: peer, events, clock, random = Math.random } = options;

  const release = async ({ workspaceId, chargeId, origin }: ScansOfCharge) => {
    await peer.releaseClaims({ workspaceId, chargeId }, origin, releaseTimeoutMs).catch(() => {});
  };

  const claimAll = async (scans: ScansOfCharge, domains: readonly string[]): Promise<ClaimedScans> => {
    const { workspaceId, chargeId, origin, budget } = scans;
    const sorted = [...domains].sort();
    const endMs = clock.monotonicMs() + undecidedMs;
    for (;;) {
      const claims = await peer.claimScans({ workspaceId, chargeId, domains: sorted }, origin, budget.takeMs());
      const jobs = new Map<string, string>();
      const claimed = new Set<string>();
      const created = new Set<string>();
      for (const [index, domain] of sorted.entries()) {
        const claim = claims[index];
        if (claim?.outcome === ClaimOutcome.CLAIMED) claimed.add(domain);
        if (claim?.created) created.add(domain);
        if (claim?.outcome === ClaimOutcome.CLAIMED || claim?.outcome === ClaimOutcome.JOINED)
          jobs.set(domain, claim.jobId);
      }
      if (jobs.size === sorted.length)
        return { jobs, claimed: domains.filter((domain) => claimed.has(domain)), created };
      const pauseMs = askAgainMs.least + random() * (askAgainMs.most - askAgainMs.least);
      if (clock.monotonicMs() + pauseMs > endMs) {
        throw new AppError('unavailable', 'Another request is asking for the same scans; retry shortly.');
      }
      if (claimed.size > 0) await release(scans);
      await clock.sleep(pauseMs);
    }
  };

  return {
    release,
    async claim(scans, domains) {
      if (domains.length === 0) return { jobs: new Map(), claimed: [], created: new Set() };
      try {
        return await claimAll(scans, domains);
      } catch (error) {
        await release(scans);
        throw error;
      }
    },
    async publish({ workspaceId, chargeId, origin, budget }, { jobs, claimed }) {
      if (claimed.length === 0) return;
      const requests: ScanRequested[] = claimed.map((domain) => ({
        jobId: jobs.get(domain) ?? '',
        workspaceId,
        domain,
        chargeId,
        requestedAtMs: clock.now(),
      }));
      try {
        await events.publishScans(requests, origin, budget.takeMs(publishTimeoutMs));
      } catch {
        await peer.requestScans(requests, origin, budget.takeMs(requestTimeoutMs));
      }
    },
  };
}
