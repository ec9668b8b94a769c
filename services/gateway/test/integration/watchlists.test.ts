import { signalTypes, type Technology, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetIdempotency } from './support/gateway.ts';
import { fitsContract } from './support/http.ts';
import { domainsOf, type StoreGroupsSystem, startStoreGroups } from './support/store-groups.ts';

const scopes = ['read:watchlists', 'write:watchlists'];
const withScans = [...scopes, 'write:scans'];
/** metering may not respond in time. */
const isCountOrNull = (value: unknown) => value === null || Number.isInteger(value);

describe('watchlists', () => {
  let system: StoreGroupsSystem;
  const quotas = { lists: 3, listStores: 1_000, watchlists: 3, watchedStores: 100, webhooks: 2 };
  beforeAll(async () => {
    system = await startStoreGroups({ scopes: withScans, plan: { quotas, freshnessDays: 7 } });
    const { technologies } = system.backends;
    technologies.push(...['klarna', 'klaviyo', 'shopify'].map((slug) => ({ slug }) as Technology));
  });
  afterAll(() => system?.stop());
  beforeEach(() => system.changeWorkspace());

  const send: StoreGroupsSystem['send'] = (...request) => system.send(...request);
  const newWatchlist = async (members: object = {}) =>
    (await send('POST', '/v1/watchlists', { name: 'Competitors', ...members })).body;

  it('a watchlist with only a name has all types of signals, all technologies, no rescans and no budget', async () => {
    const created = await send('POST', '/v1/watchlists', { name: 'Competitors' });
    expect(created.status).toBe(201);
    fitsContract(created, 'createWatchlist');
    expect(created.body).toEqual({
      id: expect.stringMatching(/^wl_/),
      name: 'Competitors',
      signal_types: [...signalTypes],
      technologies: [],
      rescan_interval_days: null,
      budget: { refresh_requested: null },
      state: 'active',
      rescans_paused: null,
      store_count: 0,
      next_rescan_at: null,
      forecast: { refresh_requested: 0, left: expect.toSatisfy(isCountOrNull) },
      created_at: expect.any(String),
      updated_at: created.body.created_at,
    });
  });

  it('a watchlist is read, changed, listed and deleted, each as the contract has it', async () => {
    const { id } = await newWatchlist({ technologies: ['klaviyo'] });
    const path = `/v1/watchlists/${id}`;
    fitsContract(await send('GET', path), 'getWatchlist');
    const changed = await send('PATCH', path, { name: 'Rivals', signal_types: ['technology_added'], state: 'paused' });
    fitsContract(changed, 'updateWatchlist');
    expect(changed.body).toMatchObject({
      name: 'Rivals',
      signal_types: ['technology_added'],
      technologies: ['klaviyo'],
      state: 'paused',
    });
    expect((await send('PATCH', path, { technologies: [] })).body).toMatchObject({ name: 'Rivals', technologies: [] });
    const listed = await send('GET', '/v1/watchlists');
    fitsContract(listed, 'listWatchlists');
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(['Rivals']);
    const deleted = await send('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) expect((await send(method, path)).status).toBe(404);
  });

  it('the stores of a watchlist are added, listed by domain and removed, apart from those of lists', async () => {
    const { id } = await newWatchlist();
    const path = `/v1/watchlists/${id}/stores`;
    const added = await send('POST', path, { stores: [{ domain: 'https://www.b.example/', external_id: 'crm-2' }] });
    fitsContract(added, 'addWatchlistStores');
    await send('POST', path, { domains: ['a.example', 'localhost'] });
    const listed = await send('GET', `${path}?limit=1`);
    fitsContract(listed, 'listWatchlistStores');
    const second = await send('GET', `${path}?limit=1&cursor=${encodeURIComponent(listed.body.next_cursor)}`);
    expect([...listed.body.data, ...second.body.data]).toEqual([
      { domain: 'a.example', external_id: null, added_at: expect.any(String) },
      { domain: 'b.example', external_id: 'crm-2', added_at: expect.any(String) },
    ]);
    expect(second.body.next_cursor).toBeNull();
    const removed = await send('POST', `${path}/remove`, { domains: ['b.example', 'z.example'] });
    fitsContract(removed, 'removeWatchlistStores');
    expect((await send('DELETE', `${path}/www.a.example`)).status).toBe(204);
    expect((await send('DELETE', `${path}/a.example`)).status).toBe(404);
    expect((await send('GET', `/v1/watchlists/${id}`)).body.store_count).toBe(0);
  });

  it('a technology that does not exist is 400 with its path, the value and near ones, and nothing is changed', async () => {
    const message = /^technologies\[1\]: must be a value that exists, not "klavio"; near ones: klaviyo/;
    const technologies = ['klaviyo', 'klavio'];
    const { id } = await newWatchlist();
    for (const [method, path] of [
      ['POST', '/v1/watchlists'],
      ['PATCH', `/v1/watchlists/${id}`],
    ] as const) {
      const refused = await send(method, path, { name: 'Other', technologies });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
      expect(refused.body.error.message).toMatch(message);
    }
    const { data } = (await send('GET', '/v1/watchlists')).body;
    expect(data).toMatchObject([{ id, name: 'Competitors', technologies: [] }]);
  });

  it('an interval below the freshness_days of the plan is 400 and names both numbers', async () => {
    const message = 'rescan_interval_days: must be at least 7, the freshness_days of the plan, not 6';
    const { id } = await newWatchlist();
    for (const [method, path] of [
      ['POST', '/v1/watchlists'],
      ['PATCH', `/v1/watchlists/${id}`],
    ] as const) {
      const refused = await send(method, path, { name: 'Often', rescan_interval_days: 6 });
      expect([refused.status, refused.body.error.message]).toEqual([400, message]);
    }
  });

  it('setting an interval needs write:scans beside write:watchlists, and clearing it does not', async () => {
    const { id } = await newWatchlist();
    const { secret } = system.newKey({ scopes, workspaceId: system.key.workspaceId });
    for (const [method, path] of [
      ['POST', '/v1/watchlists'],
      ['PATCH', `/v1/watchlists/${id}`],
    ] as const) {
      const refused = await send(method, path, { name: 'Weekly', rescan_interval_days: 7 }, { secret });
      expect([refused.status, refused.body.error]).toEqual([
        403,
        expect.objectContaining({
          code: 'forbidden_scope',
          message: 'rescan_interval_days needs the scope write:scans, which this key does not have.',
        }),
      ]);
    }
    const cleared = await send('PATCH', `/v1/watchlists/${id}`, { rescan_interval_days: null }, { secret });
    expect([cleared.status, cleared.body.rescan_interval_days]).toEqual([200, null]);
  });

  it('an interval schedules rescans and answers their forecast within the budget, and null ends them', async () => {
    const { id, ...created } = await newWatchlist({ rescan_interval_days: 7, budget: { refresh_requested: 2 } });
    expect(created).toMatchObject({ rescan_interval_days: 7, budget: { refresh_requested: 2 }, next_rescan_at: null });
    await send('POST', `/v1/watchlists/${id}/stores`, { domains: domainsOf(100) });
    const path = `/v1/watchlists/${id}`;
    const scheduled = await send('GET', path);
    fitsContract(scheduled, 'getWatchlist');
    const unbound = (await send('PATCH', path, { budget: { refresh_requested: null } })).body;
    expect(unbound).toMatchObject({ rescan_interval_days: 7, budget: { refresh_requested: null } });
    // The last hours of a month have fewer rescans than the budget.
    const withinBudget = Math.min(2, unbound.forecast.refresh_requested);
    expect(scheduled.body).toMatchObject({
      next_rescan_at: expect.any(String),
      forecast: { refresh_requested: withinBudget },
    });
    const ended = (await send('PATCH', path, { rescan_interval_days: null })).body;
    expect(ended).toMatchObject({
      rescan_interval_days: null,
      next_rescan_at: null,
      forecast: { refresh_requested: 0 },
    });
  });

  it('every answer has the refresh_requested units that are left of the allowance', async () => {
    const owner = system.newKey({ plan: { quotas, included: unitsOf({ refreshRequested: 500 }) } });
    const { secret } = owner;
    const path = `/v1/watchlists/${(await send('POST', '/v1/watchlists', { name: 'Counted' }, { secret })).body.id}`;
    const asks = [
      async () =>
        (await send('POST', '/v1/watchlists', { name: 'Counted' }, { secret, idempotencyKey: 'the-counted-one' })).body,
      async () => (await send('PATCH', path, { name: 'Counted again' }, { secret })).body,
      async () => (await send('GET', path, undefined, { secret })).body,
      async () => (await send('GET', '/v1/watchlists', undefined, { secret })).body.data[0],
    ];
    await expect.poll(async () => (await asks[2]?.())?.forecast.left).toBe(500);
    for (const ask of asks) expect([500, null]).toContain((await ask()).forecast.left);
  });

  it('a request beyond a quota of the plan is 400, names it, its value and what is used, and changes nothing', async () => {
    const { id } = await newWatchlist();
    const path = `/v1/watchlists/${id}/stores`;
    await send('POST', path, { domains: domainsOf(99) });
    const refused = await send('POST', path, { domains: ['x.example', 'y.example'] });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'watched_stores: the plan allows 100, the workspace uses 99, and this request would add 2',
    ]);
    expect((await send('GET', `/v1/watchlists/${id}`)).body.store_count).toBe(99);
    for (let more = 0; more < 2; more++) await newWatchlist();
    expect((await send('POST', '/v1/watchlists', { name: 'fourth' })).body.error.message).toMatch(
      /^watchlists: the plan allows 3, the workspace uses 3,/,
    );
  });

  it('a watchlist of another workspace is 404 for every operation, and unchanged', async () => {
    const { id } = await newWatchlist();
    await send('POST', `/v1/watchlists/${id}/stores`, { domains: ['a.example'] });
    const path = `/v1/watchlists/${id}`;
    const stateOf = async () =>
      Promise.all([path, `${path}/stores`].map(async (each) => (await send('GET', each)).body));
    const before = await stateOf();
    const { secret } = system.newKey();
    const asked: [string, string, unknown?][] = [
      ['GET', path],
      ['PATCH', path, { name: 'stolen', rescan_interval_days: 7 }],
      ['DELETE', path],
      ['GET', `${path}/stores`],
      ['POST', `${path}/stores`, { domains: ['b.example'] }],
      ['POST', `${path}/stores/remove`, { domains: ['a.example'] }],
      ['DELETE', `${path}/stores/a.example`],
    ];
    for (const [method, at, body] of asked) {
      const answer = await send(method, at, body, { secret });
      expect([method, at, answer.status, answer.body.error.code]).toEqual([method, at, 404, 'not_found']);
      expect(answer.body.error.message).toBe('The workspace has no such watchlist.');
    }
    expect(await stateOf()).toEqual(before);
    expect((await send('GET', '/v1/watchlists', undefined, { secret })).body.data).toEqual([]);
  });

  it('a cursor of watchlists belongs to the workspace, and is not a cursor of lists', async () => {
    for (let n = 0; n < 2; n++) await newWatchlist();
    const { next_cursor } = (await send('GET', '/v1/watchlists?limit=1')).body;
    const cursor = encodeURIComponent(next_cursor);
    const refused = [
      await send('GET', `/v1/lists?cursor=${cursor}`),
      await send('GET', `/v1/watchlists?cursor=${cursor}`, undefined, { secret: system.newKey().secret }),
    ];
    for (const { status, body } of refused)
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^cursor: /)]);
  });

  it('a repeated request with an Idempotency-Key creates one watchlist, even when the stored response is lost', async () => {
    const once = () => send('POST', '/v1/watchlists', { name: 'Once' }, { idempotencyKey: 'create-the-watchlist' });
    const [first, second] = [await once(), await once()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    const other = await send('POST', '/v1/watchlists', { name: 'Other' }, { idempotencyKey: 'create-the-watchlist' });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    await forgetIdempotency(system.backends.namespace);
    expect((await once()).body.id).toBe(first.body.id);
  });

  it('wrong bodies are 400 and name the member', async () => {
    const path = `/v1/watchlists/${(await newWatchlist()).id}`;
    const cases: [string, string, unknown, RegExp][] = [
      ['POST', '/v1/watchlists', {}, /^name: is required and must be a string$/],
      ['POST', '/v1/watchlists', { name: 'a', state: 'paused' }, /^state: is not a known member/],
      ['POST', '/v1/watchlists', { name: 'a', signal_types: [] }, /^signal_types: must have at least 1 entry/],
      ['POST', '/v1/watchlists', { name: 'a', signal_types: ['app_added'] }, /^signal_types\[0\]: must be one of/],
      ['POST', '/v1/watchlists', { name: 'a', rescan_interval_days: 0 }, /^rescan_interval_days: must be/],
      ['POST', '/v1/watchlists', { name: 'a', rescan_interval_days: 7.5 }, /^rescan_interval_days: must be/],
      ['POST', '/v1/watchlists', { name: 'a', budget: {} }, /^budget\.refresh_requested: is required/],
      [
        'POST',
        '/v1/watchlists',
        { name: 'a', budget: { refresh_requested: -1 } },
        /^budget\.refresh_requested: must be/,
      ],
      [
        'POST',
        '/v1/watchlists',
        { name: 'a', budget: { refresh_requested: 1, lookup_live: 1 } },
        /^budget\.lookup_live: is not a known member/,
      ],
      ['PATCH', path, { state: 'deleted' }, /^state: must be/],
      ['PATCH', path, { name: null }, /^name: must be a string/],
    ];
    for (const [method, at, body, message] of cases) {
      const answer = await send(method, at, body);
      expect([body, answer.status, answer.body.error.message]).toEqual([body, 400, expect.stringMatching(message)]);
    }
  });

  it('reading needs read:watchlists, and changing needs write:watchlists', async () => {
    const path = `/v1/watchlists/${(await newWatchlist()).id}`;
    const { workspaceId } = system.key;
    const reader = system.newKey({ scopes: ['read:watchlists'], workspaceId });
    const writer = system.newKey({ scopes: ['write:watchlists'], workspaceId });
    const refused = [
      await send('PATCH', path, { name: 'b' }, { secret: reader.secret }),
      await send('GET', path, undefined, { secret: writer.secret }),
    ];
    for (const { body } of refused) expect(body.error.code).toBe('forbidden_scope');
    expect((await send('GET', path, undefined, { secret: reader.secret })).status).toBe(200);
    expect((await send('DELETE', path, undefined, { secret: writer.secret })).status).toBe(204);
  });
});
