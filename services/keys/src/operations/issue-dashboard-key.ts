import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { type IssueDashboardKeyRequest, KeyChange } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import { type Change, changeWorkspace } from './change-workspace.ts';
import { insertKey, newKey } from './create-key.ts';
import type { Dependencies } from './dependencies.ts';

/** The scopes of the key, for pages that call the API and for trying served operations. Its label is in lists and in /v1/usage. */
const scopes = ['read:stores', 'read:signals', 'write:scans', 'read:watchlists', 'write:watchlists', 'read:jobs'];
/** In the test environment, the page of the test tenant also makes events. */
const testScopes = [...scopes, 'write:webhooks'];
const dashboardKey = { label: 'Dashboard', preset: '', expiresAtMs: undefined };

/**
 * Purpose: creates a key for the dashboard in one environment of a workspace. Only the result contains the secret. The key has no
 * expiry and does not count toward the limit of keys.
 * Concurrency: a workspace has at most one unrevoked key of the dashboard in each environment. A call revokes the earlier key in
 * its transaction. After two calls, only the later result is therefore valid.
 * Failure: the latest key was revoked by a person -> `conflict`, until a call with `switchOn`. The response is lost -> the next
 * call replaces the unknown key.
 */
export async function issueDashboardKey(
  deps: Dependencies,
  input: IssueDashboardKeyRequest,
  context: CallContext,
): Promise<{ key: Key; secret: string }> {
  return changeWorkspace(deps, input, context, async (change) => {
    const own = { scopes: input.environment === 'test' ? testScopes : scopes };
    const made = newKey(deps, { ...dashboardKey, ...own, ...input, use: 'dashboard' });
    // A replacement always leaves an unrevoked key. If there is none, a person has revoked it.
    const earlier = await deps.keys.findOfDashboard(made.key, change.tx);
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
