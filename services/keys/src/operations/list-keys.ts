import type { CallContext } from '@shopscope/grpc';
import { type Key, keyStateAt } from '../domain/key.ts';
import type { Dependencies } from './dependencies.ts';

/** Far above the bound on live keys; of the ended ones the oldest are left out. */
const listMax = 5_000;

/** The keys that are not revoked come first, then those that ended, the latest first. */
export async function listKeys(
  deps: Dependencies,
  input: { workspaceId: string; includeInactive: boolean },
  caller: CallContext,
): Promise<Key[]> {
  const live = await deps.keys.listLive(input.workspaceId, listMax, caller.deadline.timeoutMs());
  const nowMs = deps.clock.now();
  if (!input.includeInactive) return live.filter((key) => keyStateAt(key, nowMs) === 'active');
  if (live.length === listMax) return live;
  const revoked = await deps.keys.listRevoked(input.workspaceId, listMax - live.length, caller.deadline.timeoutMs());
  // A key that is revoked between the two reads is in both.
  const listed = new Set(live.map(({ id }) => id));
  return [...live, ...revoked.filter(({ id }) => !listed.has(id))];
}
