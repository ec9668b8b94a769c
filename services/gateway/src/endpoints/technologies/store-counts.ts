import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { encodeQuery } from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import type { SearchClient } from '../../peers/search-client.ts';

/** How many active stores use each technology. */
export type StoreNumbers = ReadonlyMap<string, number>;
export type StoreCounts = ReturnType<typeof createStoreCounts>;

export interface CountCaller {
  /** The workspace of the caller. Only the test environment has stores of a workspace. */
  workspaceId: string;
  origin: Origin;
  deadline: Deadline;
}

const freshMs = 60_000;
const retryAfterMs = 10_000;
const timeoutMs = 1_500;
/** More than the vocabulary has technologies. */
const allValues = 20_000;
const maxTestWorkspaces = 50;

const everyActiveStore = encodeQuery({
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [] },
  sort: 'domain',
});

/**
 * Counts the stores of every technology with one call, and keeps the result for a minute.
 *
 * - search does not answer in time -> undefined, and no further call for 10 s.
 * - Bound: one result for live stores, and those of {@link maxTestWorkspaces} workspaces of the test tenant.
 */
export function createStoreCounts({ search, clock }: { search: SearchClient; clock: Pick<Clock, 'monotonicMs'> }) {
  const kept = new LRUCache<string, { numbers: Promise<StoreNumbers | undefined>; untilMs: number }>({
    max: 1 + maxTestWorkspaces,
  });

  async function count({ workspaceId, origin, deadline }: CountCaller): Promise<StoreNumbers> {
    const request = {
      query: everyActiveStore,
      editionId: '',
      facets: ['technology', 'platform'],
      facetSize: allValues,
      context: undefined,
      workspaceId,
    };
    const { count } = await search.countStores(request, { origin, deadline: deadline.capped(timeoutMs) });
    return new Map(count.facets.flatMap(({ values }) => values.map(({ value, stores }) => [value, stores] as const)));
  }

  return {
    of(caller: CountCaller): Promise<StoreNumbers | undefined> {
      const key = caller.origin.environment === 'test' ? caller.workspaceId : '';
      const before = kept.get(key);
      if (before && clock.monotonicMs() < before.untilMs) return before.numbers;
      const entry = {
        untilMs: clock.monotonicMs() + freshMs,
        numbers: count(caller).catch(() => {
          entry.untilMs = clock.monotonicMs() + retryAfterMs;
          return undefined;
        }) as Promise<StoreNumbers | undefined>,
      };
      kept.set(key, entry);
      return entry.numbers;
    },
  };
}
