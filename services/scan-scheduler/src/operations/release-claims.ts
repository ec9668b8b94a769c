import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { JobDependencies } from './dependencies.ts';
import { requireIdentifier } from './require-valid.ts';

export interface ReleaseClaims {
  workspaceId: string;
  chargeId: string;
  /** An empty list means all claims of the charge. */
  claims: readonly { jobId: string; claimedAtMs: number }[];
}

/** The same value as in ClaimScans. */
const maxBatchSize = 1_000;

/**
 * Deletes claims of a charge that are still `requested`. Idempotent.
 *
 * - The job is queued or in a later state -> it does not change.
 * - Another execution of the charge has claimed the job again -> it does not change, because that execution may have paid.
 */
export async function releaseClaims<E extends Environment>(
  deps: JobDependencies<E>,
  input: ReleaseClaims,
  context: CallContext,
): Promise<void> {
  requireIdentifier('workspace_id', input.workspaceId);
  requireIdentifier('charge_id', input.chargeId);
  if (input.claims.length > maxBatchSize) throw invalidField('claims', `has more than ${maxBatchSize} entries`);
  await deps.claims.release(input, context.deadline.timeoutMs());
}
