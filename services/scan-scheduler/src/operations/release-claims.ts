import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';

export interface ReleaseClaims {
  workspaceId: string;
  chargeId: string;
  /** None: every claim of the charge. */
  claims: readonly { jobId: string; claimedAtMs: number }[];
}

/** As many as one call can claim. */
const claimsMax = 1_000;

/**
 * Drops claims of a charge that are still `requested`; jobs that went further stay, and so does what another execution of
 * the charge has claimed again since: it may have paid for it. Repeating a release changes nothing.
 */
export async function releaseClaims(deps: Dependencies, input: ReleaseClaims, caller: CallContext): Promise<void> {
  if (!input.workspaceId) throw invalidField('workspace_id', 'is required');
  if (!input.chargeId) throw invalidField('charge_id', 'is required');
  if (input.claims.length > claimsMax) throw invalidField('claims', `has more than ${claimsMax} entries`);
  await deps.claims.release(input, caller.deadline.timeoutMs());
}
