import { expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import { setRescans } from './watchlists.ts';

const visit = { ...keyVisit, membership: { ...keyVisit.membership, role: 'admin' } } as WorkspaceVisit;

/** Returns the PATCH that a form sends for a watchlist in this state. */
async function sentFor(watchlist: object, form: { days: string; budget: string }) {
  const sent: unknown[] = [];
  const fetchFor = () => async (_: unknown, init?: RequestInit) => {
    if (init?.method === 'PATCH') sent.push(JSON.parse(String(init.body)));
    return Response.json({ id: 'wl_1', rescan_interval_days: 30, rescans_paused: null, ...watchlist });
  };
  const team = { roleOf: async () => 'admin' };
  const others = { gateway: { fetchFor } as never, team: team as never };
  const { deps } = withDashboardKeys(['s', 's'], others);
  deps.keys.recordAuditEntry = async () => ({ entry: undefined });
  await setRescans(deps, visit, 'wl_1', form);
  return sent;
}

it.each([
  ['an unchanged interval is not sent, so that the same key pays', {}, '30', {}],
  ['a changed interval is sent', {}, '60', { rescan_interval_days: 60 }],
  ['a first interval is sent', { rescan_interval_days: null }, '30', { rescan_interval_days: 30 }],
  [
    'an unchanged interval is sent if the key that paid has ended',
    { rescans_paused: 'key_revoked' },
    '30',
    { rescan_interval_days: 30 },
  ],
  ['a spent allowance changes no payer', { rescans_paused: 'allowance_exhausted' }, '30', {}],
])('the form of rescans: %s', async (_, watchlist, days, interval) => {
  const budget = { refresh_requested: 300 };
  expect(await sentFor(watchlist, { days, budget: '300' })).toEqual([{ ...interval, budget }]);
});
