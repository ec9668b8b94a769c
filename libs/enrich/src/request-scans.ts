import { createDeadline, type Deadline } from '@shopscope/async';
import type { EventPublisher } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { ClaimOutcome, type ClaimRelease, type ScanClaim, type ScanRequested, type ScanUnit } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { ScanSchedulerClient } from './scheduler-client.ts';

/**
 * Requests the scans of a charge. It claims the scans first, before anything is billed. When their units are reserved, it
 * publishes the scan requests. Otherwise it releases the claims.
 *
 * Concurrency:
 * - Another request holds an undecided claim -> all claims are released and made again after a pause, for up to 2 s. A
 *   waiting request therefore holds no claims, and requests with the same domains cannot deadlock.
 * - A job id is derived from the charge and the domain. A retry therefore publishes the same requests, and each scan runs once.
 * - Executions of one Idempotency-Key share a charge, and another execution may have paid for a claim. A request therefore
 *   releases only the claims that it created, each with its claim time. scan-scheduler keeps claims that were made again
 *   since then (docs/decisions/0021-release-claims-by-job-and-claim-time.md).
 *
 * Failures:
 * - Kafka is unavailable -> the scan requests are sent to scan-scheduler over gRPC.
 * - The response to a claim is lost -> a charge without an Idempotency-Key releases all its claims; with an Idempotency-Key
 *   the claims expire.
 */
export interface ScanRequestContext {
  workspaceId: string;
  chargeId: string;
  /** Whether other executions may have the same charge. */
  hasIdempotencyKey: boolean;
  /** Whether the id names this charge after 24 hours, too: see ChargeRequest. */
  isPermanent?: boolean | undefined;
  /** The unit that each new job bills. */
  unit: ScanUnit;
  origin: Origin;
  deadline: Deadline;
}

export interface ScanClaims {
  /** The job id of every domain, whether its job was claimed or joined. */
  jobIds: ReadonlyMap<string, string>;
  /** The domains whose job belongs to this charge. They have to be billed and published. */
  claimed: readonly string[];
  /** The claimed domains whose job this call created, with the claim time. A later claim has another claim time. */
  created: ReadonlyMap<string, number>;
}

export interface ScanDependencies {
  scheduler: Pick<ScanSchedulerClient, 'claimScans' | 'releaseClaims' | 'requestScans'>;
  events: Pick<EventPublisher, 'publishScans'>;
  clock: Clock;
}

const maxWaitMs = 2_000;
/** The pause before the next claim is random, so that two requests do not conflict again and again. */
const retryPauseMs = { min: 50, max: 150 } as const;
const publishTimeoutMs = 1_000;
const requestTimeoutMs = 3_000;
const releaseTimeoutMs = 1_000;

async function releaseClaims(
  { scheduler, clock }: ScanDependencies,
  { workspaceId, chargeId, origin }: ScanRequestContext,
  claims: ClaimRelease[],
): Promise<void> {
  // The deadline of the request is not used: claims are released even after a cancellation.
  const deadline = createDeadline(releaseTimeoutMs, { clock });
  await scheduler.releaseClaims({ workspaceId, chargeId, claims }, origin, deadline).catch(() => {});
}

/** Releases the claims that this call created. Best effort: claims that are not released expire. */
export async function releaseScans(
  deps: ScanDependencies,
  scans: ScanRequestContext,
  { jobIds, created }: Pick<ScanClaims, 'jobIds' | 'created'>,
): Promise<void> {
  if (created.size === 0) return;
  const claims = [...created].map(([domain, claimedAtMs]) => ({ jobId: jobIds.get(domain) ?? '', claimedAtMs }));
  await releaseClaims(deps, scans, claims);
}

async function claimOnce(deps: ScanDependencies, scans: ScanRequestContext, domains: string[]): Promise<ScanClaim[]> {
  const { workspaceId, chargeId, unit, isPermanent, origin, deadline } = scans;
  try {
    return await deps.scheduler.claimScans({ workspaceId, chargeId, domains, unit, isPermanent }, origin, deadline);
  } catch (error) {
    // It is unknown which scans were claimed. An empty list releases all claims of the charge.
    if (!scans.hasIdempotencyKey) await releaseClaims(deps, scans, []);
    throw error;
  }
}

/** Throws `unavailable` if claims of other requests stay undecided. The call then holds no claim. `random` returns a number from 0 to 1. */
export async function claimScans(
  deps: ScanDependencies,
  scans: ScanRequestContext,
  domains: readonly string[],
  random = Math.random,
): Promise<ScanClaims> {
  const { clock } = deps;
  const sorted = [...domains].sort();
  const endMs = clock.monotonicMs() + maxWaitMs;
  for (;;) {
    const claims = await claimOnce(deps, scans, sorted);
    const jobIds = new Map<string, string>();
    const claimed = new Set<string>();
    const created = new Map<string, number>();
    for (const [index, domain] of sorted.entries()) {
      const claim = claims[index];
      if (claim?.outcome === ClaimOutcome.CLAIMED) claimed.add(domain);
      if (claim?.created) created.set(domain, claim.claimedAtMs);
      if (claim?.outcome === ClaimOutcome.CLAIMED || claim?.outcome === ClaimOutcome.JOINED)
        jobIds.set(domain, claim.jobId);
    }
    if (jobIds.size === sorted.length)
      return { jobIds, claimed: domains.filter((domain) => claimed.has(domain)), created };
    await releaseScans(deps, scans, { jobIds, created });
    const pauseMs = retryPauseMs.min + random() * (retryPauseMs.max - retryPauseMs.min);
    if (clock.monotonicMs() + pauseMs > endMs) {
      throw new AppError('unavailable', 'Another request is asking for the same scans; retry shortly.');
    }
    await clock.sleep(pauseMs);
  }
}

/** Resolves when the requests are durable. */
export async function publishScans(
  { scheduler, events, clock }: ScanDependencies,
  { workspaceId, chargeId, unit, origin, deadline }: ScanRequestContext,
  { jobIds, claimed }: ScanClaims,
): Promise<void> {
  if (claimed.length === 0) return;
  const requests: ScanRequested[] = claimed.map((domain) => ({
    jobId: jobIds.get(domain) ?? '',
    workspaceId,
    domain,
    chargeId,
    unit,
    requestedAtMs: clock.now(),
  }));
  try {
    await events.publishScans(requests, origin, deadline.timeoutMs(publishTimeoutMs));
  } catch {
    await scheduler.requestScans(requests, origin, deadline.capped(requestTimeoutMs));
  }
}
