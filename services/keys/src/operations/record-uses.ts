import type { Deadline } from '@shopscope/async';
import type { KeyUse } from '../outbound/mongo/keys.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Stores the time of the latest known request of each key. The events may be repeated and in any order.
 *
 * A gateway whose clock is ahead must not set a time in the future, because no later request would correct it. The clock
 * of this instance therefore bounds the time.
 */
export async function recordUses(
  deps: Pick<Dependencies, 'clock' | 'keys'>,
  uses: readonly KeyUse[],
  deadline: Deadline,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const latest = new Map<string, KeyUse>();
  for (const use of uses) {
    const id = `${use.workspaceId}/${use.keyId}`;
    const lastUsedAt = use.lastUsedAt < now ? use.lastUsedAt : now;
    const known = latest.get(id);
    if (!known || known.lastUsedAt < lastUsedAt) latest.set(id, { ...use, lastUsedAt });
  }
  await deps.keys.recordUses([...latest.values()], deadline.timeoutMs());
}
