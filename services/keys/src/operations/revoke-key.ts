import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import { givenActor, givenId } from '../domain/text.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

export interface RevokeKey {
  workspaceId: string;
  keyId: string;
  actor: string;
}

/** Revokes a key permanently. A repeated call changes nothing, adds one more event for caches, and succeeds. */
export async function revokeKey(deps: Dependencies, input: RevokeKey, context: CallContext): Promise<Key> {
  givenId('workspace_id', input.workspaceId, 'ws');
  givenId('key_id', input.keyId, 'key');
  const actor = givenActor(input.actor);
  const at = new Date(deps.clock.now());
  return deps.transact(async (tx) => {
    const revoked = await deps.keys.revoke(input.workspaceId, input.keyId, at, tx);
    if (!revoked) throw noSuchKey();
    const { key, changed } = revoked;
    if (changed) {
      await recordAudit(deps, tx, {
        workspaceId: key.workspaceId,
        actor,
        action: 'key.revoked',
        subjectId: key.id,
      });
    }
    await deps.appendEvent(
      tx,
      {
        change: KeyChange.KEY_REVOKED,
        workspaceId: key.workspaceId,
        keyId: key.id,
        planSlug: '',
        atMs: at.getTime(),
      },
      context.origin,
    );
    return key;
  }, context);
}
