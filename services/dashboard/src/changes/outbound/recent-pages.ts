import { type Clock, secondMs } from '@shopscope/clock';

/**
 * Pages of the API that were read a few seconds ago. All people of a workspace who look at the same page share one call, so that open
 * pages do not use up the rate of the workspace's Dashboard key.
 *
 * - Two requests for one page at the same time -> one call. Its failure is the failure of both, and is not kept.
 * - Bounds: {@link freshMs} and {@link maxPages}. The page that was read first leaves first.
 */
export interface RecentPages<Page> {
  /** `key` names the workspace and the query. */
  read(key: string, readPage: () => Promise<Page>): Promise<Page>;
}

export const freshMs = 10 * secondMs;
export const maxPages = 200;

export function createRecentPages<Page>(clock: Pick<Clock, 'monotonicMs'>): RecentPages<Page> {
  const pages = new Map<string, { readAtMs: number; page: Promise<Page> }>();
  return {
    read(key, readPage) {
      const readAtMs = clock.monotonicMs();
      const found = pages.get(key);
      if (found && readAtMs - found.readAtMs < freshMs) return found.page;
      const entry = { readAtMs, page: readPage() };
      pages.delete(key);
      pages.set(key, entry);
      const [oldest] = pages.keys();
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
      entry.page.catch(() => {
        if (pages.get(key) === entry) pages.delete(key);
      });
      return entry.page;
    },
  };
}
