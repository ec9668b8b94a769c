import { invalidField } from '@shopscope/errors';
import type { Caller, Dependencies } from './dependencies.ts';

/** Drops the claims of a charge that are still `requested`; jobs that went further stay. Repeating it changes nothing. */
export async function releaseClaims(
  deps: Dependencies,
  input: { workspaceId: string; chargeId: string },
  caller: Caller,
): Promise<void> {
  if (!input.workspaceId) throw invalidField('workspace_id', 'is required');
  if (!input.chargeId) throw invalidField('charge_id', 'is required');
  await deps.claims.release(input.workspaceId, input.chargeId, caller.remainingMs);
}
