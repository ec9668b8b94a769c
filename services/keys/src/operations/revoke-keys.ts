import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RevokeKeysRequest } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Audited } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import { maxLiveKeys } from './create-key.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

/**
 * Purpose: revokes several keys permanently, for example those of a person who has left. Returns the number of keys that it revoked.
 * Concurrency: a repeated call changes nothing, adds one more event per key for caches, and succeeds.
 * Failure: a key is unknown, or any write fails -> no key is revoked.
 * Bounds: as many keys as a workspace can have, each with one audit entry and one event, in one transaction of some five commands.
 */
export async function revokeKeys(deps: Dependencies, input: RevokeKeysRequest, context: CallContext): Promise<number> {
  const ids = [...new Set(input.keyIds)];
  if (ids.length === 0 || ids.length > maxLiveKeys) {
    throw invalidField('key_ids', `must have 1 to ${maxLiveKeys} ids`);
  }
  for (const id of ids) parseId('key_ids', id, 'key');
  return changeWorkspace(deps, input, context, async ({ tx, at, by, audit, announceEach }) => {
    const revoked = await deps.keys.revokeListed(by.workspaceId, ids, { at, by: by.actor }, tx);
    if (revoked.length < ids.length) throw noSuchKey();
    const changed = revoked.filter((key) => key.changed);
    const entries = changed.map(({ id, label }): Audited => ({ action: 'key.revoked', subjectId: id, detail: label }));
    if (entries.length > 0) await audit(...entries);
    await announceEach(
      KeyChange.KEY_REVOKED,
      ids.map((keyId) => ({ keyId })),
    );
    return changed.length;
  });
}
