import { expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import { quotes } from './enrichments.ts';

it('both prices of an enrichment come from one count of the list, and scans add a live look-up per stale or unknown store', async () => {
  const sent: unknown[] = [];
  const units = { lookup_cached: 5, lookup_live: 0, history_query: 0, refresh_requested: 0 };
  const cached = { matched: 3, stale: 2, unknown: 4, quote: units };
  const fetchFor = () => async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json(cached);
  };
  const { deps } = withDashboardKeys(['s'], { gateway: { fetchFor } as never });
  expect(await quotes(deps, keyVisit, 'lst_1')).toEqual({
    cached,
    refresh: { ...cached, quote: { ...units, lookup_live: 6 } },
  });
  expect(sent).toEqual([{ refresh: false, dry_run: true }]);
});
