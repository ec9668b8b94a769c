import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Dependencies, JobDependencies, TestDependencies } from './dependencies.ts';
import { queueJobs, type Requested, type ScanRequest } from './queue-jobs.ts';
import { requireDomain, requireIdentifier, requireInstant } from './require-valid.ts';
import { queueSimulatedScans } from './simulate-queue.ts';

/** This is larger than the maximum batch of every plan and of the consumer. */
const maxBatchSize = 1_000;
/** A single request takes ten round trips to the database. A hundred requests together take eleven. */
const maxJobsPerTransaction = 100;

/**
 * Queues several jobs, up to a hundred in one transaction. Each transaction is idempotent.
 *
 * - A request is invalid -> `invalid_request`, and nothing is queued.
 * - A transaction fails -> the call rejects. The earlier transactions stay, and the caller sends all requests again.
 * - Bounds: the deadline of `context` for all requests. Without `context`, the limit of each transaction.
 */
export const requestScans = (
  deps: Dependencies,
  requests: readonly Requested[],
  context?: Pick<CallContext, 'deadline'>,
): Promise<void> => queueInBatches(deps, requests, (batch) => queueJobs(deps, batch, context));

/** As {@link requestScans}, for simulated scans. */
export const requestTestScans = (
  deps: TestDependencies,
  requests: readonly Requested[],
  context?: Pick<CallContext, 'deadline'>,
): Promise<void> => queueInBatches(deps, requests, (batch) => queueSimulatedScans(deps, batch, context));

async function queueInBatches<E extends Environment>(
  { environment }: JobDependencies<E>,
  requests: readonly Requested[],
  queue: (batch: readonly Requested[]) => Promise<void>,
): Promise<void> {
  if (requests.length > maxBatchSize) throw invalidField('requests', `has more than ${maxBatchSize} entries`);
  for (const { request } of requests) assertValid(environment, request);
  for (const round of roundsOf(requests)) {
    for (let first = 0; first < round.length; first += maxJobsPerTransaction) {
      await queue(round.slice(first, first + maxJobsPerTransaction));
    }
  }
}

/** Puts requests of one domain into different rounds, in their order, because a transaction has at most one job per domain. */
function roundsOf(requests: readonly Requested[]): Requested[][] {
  const rounds: Requested[][] = [];
  const seen = new Map<string, number>();
  for (const requested of requests) {
    const { domain } = requested.request;
    const round = seen.get(domain) ?? 0;
    seen.set(domain, round + 1);
    rounds[round] ??= [];
    rounds[round].push(requested);
  }
  return rounds;
}

function assertValid(environment: Environment, request: ScanRequest): void {
  if (!request.jobId.startsWith('job_')) throw invalidField('job_id', 'is not a job id');
  requireIdentifier('job_id', request.jobId);
  requireIdentifier('workspace_id', request.workspaceId);
  requireIdentifier('charge_id', request.chargeId);
  requireInstant('requested_at_ms', request.requestedAtMs);
  requireDomain(environment, 'domain', request.domain);
}
