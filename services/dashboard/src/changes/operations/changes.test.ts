import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import { createRecentPages } from '../outbound/recent-pages.ts';
import { latest } from './changes.ts';

/** Reads the changes of a watchlist and of failed scans. The API answers a query with a watchlist with this status. */
async function read(status: number, code: string) {
  const sent: string[] = [];
  const fetchFor = () => async (input: unknown) => {
    const { search } = new URL(String(input));
    sent.push(search);
    if (!search.includes('watchlist_id')) return Response.json({ data: [], has_more: false, next_cursor: null });
    return Response.json({ error: { code, message: 'Refused.', request_id: 'req_1' } }, { status });
  };
  const changePages = createRecentPages(new ManualClock());
  const others = { gateway: { fetchFor } as never, changePages: changePages as never };
  const { deps } = withDashboardKeys(['s', 's', 's', 's'], others);
  const asked = () => latest(deps, keyVisit, { group: 'failed_scans', watchlistId: 'wl_1' });
  return { asked, sent };
}

it('the filter by a deleted watchlist is dropped, the others stay, and both calls are made once for all readers', async () => {
  const { asked, sent } = await read(404, 'not_found');
  const pages = [await asked(), await asked()];
  for (const page of pages) expect(page).toEqual({ changes: [], hasEarlier: false, isWatchlistGone: true });
  expect(sent).toEqual([expect.stringContaining('wl_1'), expect.stringMatching(/types=scan\.failed/)]);
});

it('the filter by a watchlist is not dropped for another failure', async () => {
  const { asked, sent } = await read(429, 'rate_limited');
  await expect(asked()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(sent).toHaveLength(1);
});
