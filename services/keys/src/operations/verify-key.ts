import type { Key, KeyState } from '../domain/key.ts';
import { keyFingerprint, keyStateAt } from '../domain/key.ts';
import type { Plan } from '../domain/plan.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Caller, Dependencies } from './dependencies.ts';

export type Verified =
  | { state: 'active'; key: Key; workspace: Workspace; plan: Plan }
  | { state: Exclude<KeyState, 'active'> | 'unknown' };

/** Who the key with this SHA-256 digest belongs to and what it may do, as the database has it now. */
export async function verifyKey(deps: Dependencies, keyDigest: Uint8Array, caller: Caller): Promise<Verified> {
  if (keyDigest.length !== 32) return { state: 'unknown' };
  const key = await deps.keys.findByFingerprint(keyFingerprint(deps.pepper, keyDigest), caller.remainingMs);
  if (!key) return { state: 'unknown' };
  const state = keyStateAt(key, deps.clock.now());
  if (state !== 'active') return { state };
  const workspace = await deps.workspaces.find(key.workspaceId, caller.remainingMs);
  const plan = workspace && (await deps.plans.find(workspace.planSlug, caller.remainingMs));
  if (!plan) throw new Error(`key ${key.id} has no workspace or plan`);
  return { state: 'active', key, workspace, plan };
}
