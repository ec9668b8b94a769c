import type { CallContext } from '@shopscope/grpc';
import type { Key, KeyState } from '../domain/key.ts';
import { keyFingerprint, keyStateAt } from '../domain/key.ts';
import type { Plan } from '../domain/plan.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { KeyMark } from '../outbound/mongo/keys.ts';
import type { Dependencies } from './dependencies.ts';
import { findWithPlan } from './get-workspace.ts';

export type Verified =
  | { state: 'active'; key: Key; workspace: Workspace; plan: Plan /** The instant of the decision. */; atMs: number }
  | { state: Exclude<KeyState, 'active'> | 'unknown' | 'suspended' };

/**
 * Returns the current owner and permissions of the key with this SHA-256 digest. An active key that is stored under a retiring
 * pepper moves to the current pepper; the response does not wait for this.
 */
export async function verifyKey(deps: Dependencies, keyDigest: Uint8Array, context: CallContext): Promise<Verified> {
  if (keyDigest.length !== 32) return { state: 'unknown' };
  const fingerprints = deps.peppers.map(({ secret }) => keyFingerprint(secret, keyDigest));
  const found = await deps.keys.findByFingerprints(fingerprints, context.deadline.timeoutMs());
  if (!found) return { state: 'unknown' };
  const { key, mark } = found;
  const atMs = deps.clock.now();
  const state = keyStateAt(key, atMs);
  if (state !== 'active') return { state };
  const current: KeyMark = { fingerprint: fingerprints[0] as Buffer, pepperId: deps.peppers[0].id };
  if (!isSame(mark, current)) deps.mover.move(key.id, mark.fingerprint, current);

  const owner = await findWithPlan(deps, key.workspaceId, context);
  if (!owner) {
    // The workspace was deleted after the key was read. The deletion has revoked the key.
    if (await deps.workspaces.isDeleted(key.workspaceId, context.deadline.timeoutMs())) return { state: 'revoked' };
    throw new Error(`key ${key.id} has no workspace`);
  }
  return owner.workspace.suspendedAt ? { state: 'suspended' } : { state: 'active', key, ...owner, atMs };
}

/** Compares the ids, too: when a pepper gets another id, its keys keep the old id, which a move corrects. */
const isSame = (a: KeyMark, b: KeyMark) => a.pepperId === b.pepperId && a.fingerprint.equals(b.fingerprint);
