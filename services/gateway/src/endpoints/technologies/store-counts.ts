import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { type TechnologyNumbers, technologyNumbersOf, technologyNumbersRequest } from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';
import type { SearchClient } from '../../peers/search-client.ts';

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
const maxTestWorkspaces = 50;
/** Walks by stores are of the latest edition, or of one of the editions before it. */
const maxEarlierEditions = 10;

/**
 * Counts the stores of every technology with one call, and keeps the result for a minute.
 *
 * - All workspaces share a call for live stores. So it has a deadline of its own, and does not wait for the searches of a workspace: a caller
 *   that disconnects or that has many searches would else hide the numbers from all others.
 * - Bound: one result for live stores, and those of {@link maxTestWorkspaces} workspaces of the test tenant and of
 *   {@link maxEarlierEditions} earlier editions.
 */
export function createStoreCounts({
  search,
  clock,
}: {
  search: Pick<SearchClient, 'countStores'>;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
}) {
  type Kept<Numbers> = { numbers: Promise<Numbers>; untilMs: number };
  const latest = new LRUCache<string, Kept<TechnologyNumbers | undefined>>({ max: 1 + maxTestWorkspaces });
  const earlier = new LRUCache<string, Kept<TechnologyNumbers>>({ max: maxEarlierEditions });
  const isFresh = ({ untilMs }: Kept<unknown>) => clock.monotonicMs() < untilMs;
  const tenantOf = ({ origin, workspaceId }: CountCaller) => (origin.environment === 'test' ? workspaceId : '');

  async function count(caller: CountCaller, editionId: string): Promise<TechnologyNumbers> {
    const request = technologyNumbersRequest({ editionId, workspaceId: tenantOf(caller) });
    const call = { origin: caller.origin, deadline: createDeadline(timeoutMs, { clock }) };
    return technologyNumbersOf(await search.countStores(request, call));
  }

  /** Numbers of the latest edition. search does not answer in time -> undefined, and no further call for 10 s. */
  function of(caller: CountCaller): Promise<TechnologyNumbers | undefined> {
    const key = tenantOf(caller);
    const before = latest.get(key);
    if (before && isFresh(before)) return before.numbers;
    const entry: Kept<TechnologyNumbers | undefined> = {
      untilMs: clock.monotonicMs() + freshMs,
      numbers: count(caller, '').catch(() => {
        entry.untilMs = clock.monotonicMs() + retryAfterMs;
        return undefined;
      }),
    };
    latest.set(key, entry);
    return entry.numbers;
  }

  return {
    of,
    /**
     * Numbers of one edition. search does not answer in time -> `unavailable`. The edition has ended -> `invalid_request` that names
     * `cursor`.
     */
    async ofEdition(caller: CountCaller, editionId: string): Promise<TechnologyNumbers> {
      const current = await of(caller);
      if (current?.edition.id === editionId) return current;
      const key = `${tenantOf(caller)} ${editionId}`;
      const before = earlier.get(key);
      if (before && isFresh(before)) return before.numbers;
      const entry = { untilMs: clock.monotonicMs() + freshMs, numbers: count(caller, editionId) };
      earlier.set(key, entry);
      entry.numbers.catch(() => {
        if (earlier.get(key) === entry) earlier.delete(key);
      });
      return entry.numbers;
    },
  };
}
