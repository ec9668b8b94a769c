import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RevokeKeyRequest } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Key } from '../domain/key.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

/** Revokes a key permanently. A repeated call changes nothing, adds one more event for caches, and succeeds. */
export async function revokeKey(deps: Dependencies, input: RevokeKeyRequest, context: CallContext): Promise<Key> {
  const { workspaceId, keyId } = input;
  parseId('key_id', keyId, 'key');
  return changeWorkspace(deps, input, context, async ({ tx, at, by, audit, announce }) => {
    const revoked = await deps.keys.revoke({ workspaceId, id: keyId }, { at, by: by.actor }, tx);
    if (!revoked) throw noSuchKey();
    const { key, changed } = revoked;
    if (changed) await audit({ action: 'key.revoked', subjectId: keyId, detail: key.label });
    await announce(KeyChange.KEY_REVOKED, { keyId });
    return key;
  });
}
