import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RevokeKeyRequest } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import { givenId } from '../domain/text.ts';
import { givenBy, recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

/** Revokes a key permanently. A repeated call changes nothing, adds one more event for caches, and succeeds. */
export async function revokeKey(deps: Dependencies, input: RevokeKeyRequest, context: CallContext): Promise<Key> {
  const { workspaceId, keyId } = input;
  givenId('workspace_id', workspaceId, 'ws');
  givenId('key_id', keyId, 'key');
  const by = { ...givenBy(input), workspaceId };
  const at = new Date(deps.clock.now());
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const revoked = await deps.keys.revoke({ workspaceId, id: keyId }, { at, by: by.actor }, tx);
    if (!revoked) throw noSuchKey();
    const { key, changed } = revoked;
    if (changed) {
      await recordAudit(deps, tx, by, { action: 'key.revoked', subjectId: keyId, detail: key.label });
    }
    const event = { change: KeyChange.KEY_REVOKED, workspaceId, keyId, atMs: at.getTime() };
    await deps.appendEvents(tx, context.origin, event);
    return key;
  });
}
