import type { Environment } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import { type Key, keyStateAt } from '../domain/key.ts';
import type { Dependencies } from './dependencies.ts';

/** This is far above the limit of unrevoked keys. If there are more keys, the list omits the oldest revoked ones. */
const maxList = 5_000;

/**
 * Returns the unrevoked keys, then the revoked keys (latest revocation first), and the instant of their states. Without an environment,
 * the list has the keys of both.
 */
export async function listKeys(
  deps: Dependencies,
  input: { workspaceId: string; environment: Environment | null; includeInactive: boolean },
  context: CallContext,
): Promise<{ keys: Key[]; atMs: number }> {
  parseId('workspace_id', input.workspaceId, 'ws');
  const { workspaceId, environment } = input;
  const page = { workspaceId, environment };
  const live = await deps.keys.listLive({ ...page, limit: maxList, maxTimeMS: context.deadline.timeoutMs() });
  const atMs = deps.clock.now();
  if (!input.includeInactive) return { keys: live.filter((key) => keyStateAt(key, atMs) === 'active'), atMs };
  if (live.length === maxList) return { keys: live, atMs };
  const rest = { ...page, limit: maxList - live.length, maxTimeMS: context.deadline.timeoutMs() };
  const revoked = await deps.keys.listRevoked(rest);
  // If a key is revoked between the two reads, both reads return it.
  const listed = new Set(live.map(({ id }) => id));
  return { keys: [...live, ...revoked.filter(({ id }) => !listed.has(id))], atMs };
}
