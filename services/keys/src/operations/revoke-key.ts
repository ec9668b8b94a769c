import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchKey } from './get-key.ts';

export interface RevokeKey {
  workspaceId: string;
  keyId: string;
  actor: string;
}

/** Revokes a key for good. Revoking it again changes nothing and succeeds, announcing it once more. */
export async function revokeKey(deps: Dependencies, input: RevokeKey, caller: CallContext): Promise<Key> {
  const at = new Date(deps.clock.now());
  return deps.inTransaction(async (session) => {
    const revoked = await deps.keys.revoke(input.workspaceId, input.keyId, at, session);
    if (!revoked) throw noSuchKey();
    const { key, changed } = revoked;
    if (changed) {
      await recordAudit(deps, session, {
        workspaceId: key.workspaceId,
        actor: input.actor,
        action: 'key.revoked',
        subjectId: key.id,
      });
    }
    await deps.announce(
      session,
      {
        change: KeyChange.KEY_REVOKED,
        workspaceId: key.workspaceId,
        keyId: key.id,
        planSlug: '',
        atMs: at.getTime(),
      },
      caller.origin,
    );
    return key;
  }, caller.deadline);
}
