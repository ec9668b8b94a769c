import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { type IssueDashboardKeyRequest, KeyChange } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import { type Change, changeWorkspace } from './change-workspace.ts';
import { insertKey, newKey } from './create-key.ts';
import type { Dependencies } from './dependencies.ts';

/** What the key is called in lists and in /v1/usage, and what it may do: Stores, and trying served operations out. */
const scopes = ['read:stores', 'read:signals', 'write:scans', 'read:jobs'];
const dashboardKey = { label: 'Dashboard', preset: '', scopes, expiresAtMs: undefined };

/**
 * Purpose: gives the dashboard a key of its own for a workspace. Only the result contains the secret. The key has no expiry and
 * does not count toward the limit of keys.
 * Concurrency: a workspace has at most one unrevoked key of the dashboard. A call revokes the earlier one in its transaction, so
 * that of two calls only the later result stays valid.
 * Failure: somebody has revoked the latest key -> `conflict`, until a call with `switchOn`. The response is lost -> the next call
 * replaces the key that nobody knows.
 */
export async function issueDashboardKey(
  deps: Dependencies,
  input: IssueDashboardKeyRequest,
  context: CallContext,
): Promise<{ key: Key; secret: string }> {
  return changeWorkspace(deps, input, context, async (change) => {
    const made = newKey(deps, { ...dashboardKey, ...input, use: 'dashboard' });
    // A replacement leaves an unrevoked key, so without one somebody has revoked it.
    const earlier = await deps.keys.findOfDashboard(input.workspaceId, change.tx);
    if (earlier?.revokedAt && !input.switchOn) {
      throw new AppError('conflict', "The dashboard's key of this workspace was revoked.");
    }
    if (earlier && !earlier.revokedAt) await replace(deps, earlier, change);
    await insertKey(deps, made, change);
    return { key: made.key, secret: made.secret };
  });
}

async function replace(deps: Dependencies, { id, label, workspaceId }: Key, change: Change): Promise<void> {
  await deps.keys.revoke({ workspaceId, id }, { at: change.at, by: change.by.actor }, change.tx);
  await change.audit({ action: 'key.revoked', subjectId: id, detail: label });
  await change.announce(KeyChange.KEY_REVOKED, { keyId: id });
}
