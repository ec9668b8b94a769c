import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RevokeKeysRequest } from '@shopscope/proto';
import { givenId } from '../domain/text.ts';
import { type Audited, givenBy, recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import { maxLiveKeys } from './create-key.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

/**
 * Purpose: revokes several keys permanently, for example those of a person who has left. Returns how many this call has revoked.
 * Concurrency: a repeated call changes nothing, adds one more event per key for caches, and succeeds.
 * Failure: a key is unknown, or any write fails -> no key is revoked.
 * Bounds: as many keys as a workspace can have, each with one audit entry and one event, in one transaction of some five commands.
 */
export async function revokeKeys(deps: Dependencies, input: RevokeKeysRequest, context: CallContext): Promise<number> {
  const workspaceId = givenId('workspace_id', input.workspaceId, 'ws');
  const ids = [...new Set(input.keyIds)];
  if (ids.length === 0 || ids.length > maxLiveKeys) {
    throw invalidField('key_ids', `must have 1 to ${maxLiveKeys} ids`);
  }
  for (const id of ids) givenId('key_ids', id, 'key');
  const by = { ...givenBy(input), workspaceId };
  const at = new Date(deps.clock.now());
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const revoked = await deps.keys.revokeListed(workspaceId, ids, { at, by: by.actor }, tx);
    if (revoked.length < ids.length) throw noSuchKey();
    const changed = revoked.filter((key) => key.changed);
    const entries = changed.map(({ id, label }): Audited => ({ action: 'key.revoked', subjectId: id, detail: label }));
    if (entries.length > 0) await recordAudit(deps, tx, by, ...entries);
    const event = { change: KeyChange.KEY_REVOKED, workspaceId, atMs: at.getTime() };
    await deps.appendEvents(tx, context.origin, ...ids.map((keyId) => ({ ...event, keyId })));
    return changed.length;
  });
}
