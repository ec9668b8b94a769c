import { describe, expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import { create, setRescans, setState } from './watchlists.ts';

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
  [
    'an unchanged interval is sent after a spent allowance, which a larger plan may have ended',
    { rescans_paused: 'allowance_exhausted' },
    '30',
    { rescan_interval_days: 30 },
  ],
  ['a spent budget changes no payer', { rescans_paused: 'budget_exhausted' }, '30', {}],
])('the form of rescans: %s', async (_, watchlist, days, interval) => {
  const budget = { refresh_requested: 300 };
  expect(await sentFor(watchlist, { days, budget: '300' })).toEqual([{ ...interval, budget }]);
});

it.each([
  ['an admin', 'admin', 30, true],
  ['a member, without an interval', 'member', null, true],
  ['a member, with an interval', 'member', 30, false],
])('a watchlist whose rescans would bill again is resumed by admins only: %s', async (_, role, days, isResumed) => {
  const sent: unknown[] = [];
  const fetchFor = () => async (_: unknown, init?: RequestInit) => {
    if (init?.method === 'PATCH') sent.push(JSON.parse(String(init.body)));
    return Response.json({ id: 'wl_1', rescan_interval_days: days });
  };
  const team = { roleOf: async () => role };
  const { deps } = withDashboardKeys(['s', 's'], { gateway: { fetchFor } as never, team: team as never });
  const done = setState(deps, visit, 'wl_1', 'active');
  if (isResumed) await done;
  else await expect(done).rejects.toMatchObject({ code: 'forbidden_scope' });
  expect(sent).toEqual(isResumed ? [{ state: 'active' }] : []);
});

describe('new watchlists', () => {
  const domains = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`).join('\n');
  const form = { name: 'Rivals', signalTypes: ['technology_added'], technologies: '', listId: '' };
  const token = 'a-token-of-a-form';
  const quotaWords = 'watched_stores: the plan allows 2000, the workspace uses 2000, and this request would add 1';
  const refusal = (message: string) =>
    Response.json({ error: { code: 'invalid_request', message, request_id: 'req_1' } }, { status: 400 });

  /** An API with one watchlist. `answer` may replace the answer to the n-th call that adds stores. */
  function setUp(quota: number, answer: (call: number) => Response | undefined) {
    const begun = new Map<string, object>();
    let watched: number | undefined;
    let calls = 0;
    const rowOf = (count: number) => ({ id: 'wl_1', store_count: count });
    const fetchFor = () => async (input: unknown, init?: RequestInit) => {
      if (init?.method === 'GET') {
        const data = watched === undefined ? [] : [rowOf(watched)];
        return Response.json({ data, next_cursor: null });
      }
      if (!String(input).endsWith('/stores')) {
        watched ??= 0;
        return Response.json(rowOf(watched), { status: 201 });
      }
      calls += 1;
      const sent = JSON.parse(String(init?.body)).stores.length;
      const replaced = answer(calls);
      if (replaced?.ok !== false) watched = Math.max(watched ?? 0, sent);
      return replaced ?? Response.json({ data: [], added: sent });
    };
    const listImports = {
      find: async (_: unknown, id: string) => begun.get(id),
      create: async (_: unknown, made: { id: string }) => void begun.set(made.id, made),
    };
    const others = { gateway: { fetchFor } as never, listImports: { live: listImports } as never };
    const { deps } = withDashboardKeys(['s', 's', 's', 's', 's', 's', 's', 's', 's', 's'], others);
    const plan = { included: {}, quotas: { watchedStores: quota } };
    deps.keys.getWorkspace = async () => ({ workspace: {}, plan }) as never;
    return (text: string) => create(deps, visit, { ...form, token, domains: text });
  }

  it('a form whose stores were added without an answer counts them once against the quota', async () => {
    const send = setUp(100, (call) => (call === 1 ? new Response('<html>', { status: 200 }) : undefined));
    await expect(send(domains(60))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await send(domains(60))).toEqual({ id: 'wl_1', missing: 0, unread: 0, copyId: undefined });
  });

  it('stores that the quota refuses are missing, and the stores of earlier calls are not', async () => {
    const send = setUp(3_000, (call) => (call === 2 ? refusal(quotaWords) : undefined));
    expect(await send(domains(2_500))).toMatchObject({ missing: 500 });
  });

  it('a refusal for another reason than the quota is shown with the message of the API', async () => {
    const send = setUp(100, () => refusal('stores[0].domain: must be a domain'));
    await expect(send(domains(2))).rejects.toMatchObject({ publicMessage: 'stores[0].domain: must be a domain' });
  });

  it('a name may have 200 characters, as in the API', async () => {
    const { deps } = withDashboardKeys(['s'], {});
    const made = (length: number) => create(deps, visit, { ...form, token, domains: 'no', name: 'n'.repeat(length) });
    await expect(made(200)).rejects.toMatchObject({ details: { field: 'domains' } });
    await expect(made(201)).rejects.toMatchObject({ details: { field: 'name' } });
  });
});
