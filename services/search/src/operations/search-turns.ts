import { createKeyedSlots, type Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';

/**
 * Bounds the searches of a workspace that run at the same time, so that its expensive queries leave the engine free for others.
 *
 * - The workspace has no free place -> the search waits. Searches of a workspace begin in the order of their calls, and workspaces take turns.
 * - The wait is longer than {@link maxWaitMs} or the deadline passes -> `concurrency_limited`. The search never begins.
 * - Bound: the gateway bounds the calls of each key, so it bounds the waiting searches.
 */
export interface SearchTurns {
  run<T>(workspaceId: string, deadline: Deadline, work: () => Promise<T>): Promise<T>;
}

/** A search sends one request after another to the engine. All of them find a free connection. */
const maxSearches = 32;
/** Half of the time that a gateway gives a search. */
const maxWaitMs = 4_000;

export function createSearchTurns({ maxPerWorkspace }: { maxPerWorkspace: number }): SearchTurns {
  const slots = createKeyedSlots({ maxPerKey: maxPerWorkspace, max: maxSearches });
  return {
    async run(workspaceId, deadline, work) {
      const end = await enter(workspaceId, deadline);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };

  async function enter(workspaceId: string, deadline: Deadline) {
    const waiting = deadline.capped(maxWaitMs);
    try {
      return await slots.take(workspaceId, (turn) => waiting.race(turn));
    } catch (cause) {
      throw new AppError('concurrency_limited', 'Too many searches are in progress; retry when some have ended.', {
        details: { retry_after: 1 },
        cause,
      });
    }
  }
}
