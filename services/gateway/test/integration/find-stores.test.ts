import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, fitsContract, type TestAnswer } from './support/http.ts';
import { daysAgo, putStore, type SearchTestSystem, startSearchTest } from './support/search.ts';
import { domainOf, fillCorpus, numbers, storeOf } from './support/searched-corpus.ts';

const scopes = ['read:stores', 'read:signals', 'read:watchlists', 'write:watchlists'];
const quotas = { lists: 5, listStores: 250_000, watchlists: 1, watchedStores: 100, webhooks: 2 };
let system: SearchTestSystem;

beforeAll(async () => {
  system = await startSearchTest({ scopes, plan: { quotas, historyDays: 90, rpm: 100_000 } }, fillCorpus);
}, 120_000);
afterAll(() => system?.stop());
beforeEach(() => system.changeWorkspace());

const search = (body: object, options = {}) => system.send('POST', '/v1/stores/search', body, options);
const list = (query: string, secret = system.key.secret, headers = {}) =>
  call(system.gateway, `/v1/stores?${query}`, { key: secret, headers });
const domains = ({ body }: TestAnswer): string[] => body.data.map(({ domain }: { domain: string }) => domain);
const with_ = (fits: (n: number) => boolean) => numbers.filter(fits).map(domainOf);
const used = (units: object) => system.backends.metering.used(system.key.workspaceId, units as never);
const messageOf = ({ body }: TestAnswer): string => body.error.message;
const klaviyo = { technologies: [{ any: ['klaviyo'] }] };
const notJudged = (n: number) => n % 10 === 7;

async function newList(...stores: number[]): Promise<string> {
  const { id } = (await system.send('POST', '/v1/lists', { name: 'Prospects' })).body;
  await system.send('POST', `/v1/lists/${id}/stores`, { domains: stores.map(domainOf) });
  return id;
}

describe('POST /v1/stores/search', () => {
  it('a search answers the rows that match with the body of getStore byte for byte, and bills one lookup_cached per row', async () => {
    const answer = await search({ where: klaviyo });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'searchStores');
    expect(domains(answer)).toEqual(with_((n) => n % 2 === 0));
    const stored = system.backends.facts.live.get(domainOf(2))?.body.toString();
    expect(answer.text).toContain(`"store":${stored}}`);
    expect(answer.body).toMatchObject({
      billed: { lookup_cached: 15, history_query: 0 },
      where: { status: { any: ['active_storefront'] }, technologies: [{ any: ['klaviyo'] }] },
      next_cursor: null,
    });
    expect(answer.body).not.toHaveProperty('window');
    await used({ lookupCached: 15, historyQuery: 0 });
  });

  it('an empty where is allowed, and matched says since when a technology is known', async () => {
    expect(domains(await search({}))).toEqual(numbers.map(domainOf));
    const rows = (await search({ where: { technologies: [{ any: ['klaviyo', 'loox'] }] } })).body.data;
    const of = (n: number) => rows.find(({ domain }: { domain: string }) => domain === domainOf(n)).matched;
    expect(of(12)).toMatchObject([
      { technology: 'klaviyo', since: 'observed', install_state: 'active' },
      { technology: 'loox', since: 'observed' },
    ]);
    expect(of(2)).toMatchObject([{ technology: 'klaviyo', since: 'at_first_scan' }]);
  });

  it('none judges only full scans, first_observed excludes the first scan, and since_known: false includes it', async () => {
    const without = { technologies: [{ none: ['klaviyo'] }] };
    expect(domains(await search({ where: without }))).toEqual(with_((n) => n % 2 === 1 && !notJudged(n)));
    const since = (more: object) => ({
      where: { technologies: [{ any: ['klaviyo'], first_observed: { from: daysAgo(500) }, ...more }] },
    });
    expect(domains(await search(since({})))).toEqual(with_((n) => n % 4 === 0));
    expect(domains(await search(since({ since_known: false })))).toEqual(with_((n) => n % 2 === 0));
  });

  it('a page of dropped or moved bills one history_query more, in the same charge, and says its window', async () => {
    const dropped = await search({ where: { dropped: [{ any: ['judge-me'] }] } });
    fitsContract(dropped, 'searchStores');
    expect(domains(dropped)).toEqual(with_((n) => n <= 12 && n % 2 === 1));
    expect(dropped.body.data[0].dropped).toMatchObject([{ technology: 'judge-me' }]);
    expect(dropped.body).toMatchObject({
      billed: { lookup_cached: 6, history_query: 1 },
      window: { from: `${daysAgo(90).slice(0, 10)}T00:00:00.000Z`, truncated_by_plan: true },
    });
    expect(system.backends.calls('reserve')).toHaveLength(1);
    const from = daysAgo(30);
    const moved = await search({ where: { moved: { to_platform: ['shopify'], effective: { from } } } });
    expect(domains(moved)).toEqual(with_((n) => n > 20 && n <= 26));
    expect(moved.body.window).toEqual({ from: `${from.slice(0, 10)}T00:00:00.000Z`, truncated_by_plan: false });
    const none = await search({ where: { moved: { to_platform: ['magento'] } } });
    expect(none.body).toMatchObject({ data: [], billed: { lookup_cached: 0, history_query: 0 } });
    await used({ lookupCached: 12, historyQuery: 2 });
  });

  it('following next_cursor answers every store once in every order, and bills each once', async () => {
    for (const sort of ['domain', '-last_completed_scan_at', '-product_count', '-last_changed_at']) {
      const found: string[] = [];
      const editions = new Set<string>();
      for (let cursor: string | null = null; ; ) {
        const page: TestAnswer = await search({ sort, limit: 7, cursor });
        found.push(...domains(page));
        editions.add(page.body.edition.id);
        cursor = page.body.next_cursor;
        if (cursor === null) break;
      }
      expect(found.toSorted()).toEqual(numbers.map(domainOf));
      if (sort === '-product_count') expect(found).toEqual(numbers.toReversed().map(domainOf));
      expect(editions.size).toBe(1);
    }
    await used({ lookupCached: 120 });
  });

  it('the view compact has fewer members at the same price', async () => {
    const { body } = await search({ view: 'compact', limit: 1 });
    expect(body.data[0].store).toEqual({
      name: 'Example Shop',
      platform: 'shopify',
      country: 'DE',
      industry: 'apparel',
      status: 'active_storefront',
      last_completed_scan_at: '2026-01-15T11:58:41.000Z',
    });
    expect(body.billed.lookup_cached).toBe(1);
  });

  it('a row whose store has changed since the edition says so, and a store that is gone is left out and not billed', async () => {
    const { facts } = system.backends;
    const before = [1, 2].map((n) => facts.live.get(domainOf(n)));
    putStore(system.backends, domainOf(2), { ...storeOf(2), technologies: {} });
    facts.live.delete(domainOf(4));
    const { body } = await search({ where: klaviyo, limit: 3 });
    facts.live.set(domainOf(2), before[1] as never);
    putStore(system.backends, domainOf(4), storeOf(4));
    expect(body.data.map((row: { changed_since_edition: boolean }) => row.changed_since_edition)).toEqual([
      true,
      false,
    ]);
    expect(body.billed.lookup_cached).toBe(2);
    expect(body.next_cursor).not.toBeNull();
  });

  it('a replay under an Idempotency-Key is free and the same bytes, and another body is a conflict', async () => {
    const options = { idempotencyKey: 'search-once-1' };
    const first = await search({ where: klaviyo, limit: 4 }, options);
    const again = await search({ where: klaviyo, limit: 4 }, options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await search({ where: klaviyo, limit: 5 }, options)).status).toBe(409);
    await used({ lookupCached: 4 });
  });

  it('max_units smaller than what a page may bill is 400 before anything is looked at, whatever would be found', async () => {
    for (const where of [klaviyo, { technologies: [{ any: ['hotjar'] }] }]) {
      const refused = await search({ where, limit: 20, max_units: { lookup_cached: 19 } });
      expect([refused.status, messageOf(refused)]).toEqual([
        400,
        'max_units.lookup_cached: must be at least 20, which a page of 20 rows may bill, not 19',
      ]);
    }
    const changes = { dropped: [{ any: ['judge-me'] }] };
    expect(messageOf(await search({ where: changes, max_units: { history_query: 0 } }))).toContain('history_query');
    expect((await search({ where: klaviyo, limit: 20, max_units: { lookup_cached: 20 } })).status).toBe(200);
  });

  it('rows that do not fit what is left are 402, and nothing is billed', async () => {
    const included = { lookupCached: 10, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const key = system.newKey({ plan: { included, quotas } });
    const options = { secret: key.secret };
    const refused = await search({ where: klaviyo }, options);
    expect([refused.status, refused.body.error.unit]).toEqual([402, 'lookup_cached']);
    expect((await search({ where: { technologies: [{ any: ['hotjar'] }] } }, options)).status).toBe(200);
    expect((await search({ where: klaviyo, limit: 10 }, options)).body.billed.lookup_cached).toBe(10);
  });

  it('with a list, a full page must be left whether the stores of the list match or not', async () => {
    const listId = await newList(2, 3);
    const rows = await search({ where: { ...klaviyo, list: { any: [listId] } } });
    expect(domains(rows)).toEqual([domainOf(2)]);
    expect(domains(await search({ where: { ...klaviyo, list: { none: [listId] } }, limit: 2 }))).toEqual(
      [4, 6].map(domainOf),
    );
    const included = { lookupCached: 10, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const { secret } = system.newKey({ plan: { included, quotas }, workspaceId: system.key.workspaceId });
    for (const slug of ['klaviyo', 'hotjar']) {
      const where = { technologies: [{ any: [slug] }], list: { any: [listId] } };
      expect((await search({ where, limit: 50 }, { secret })).status).toBe(402);
    }
    const path = `technology_any=klaviyo&list_any=${listId}&limit=50`;
    const headers = { 'If-None-Match': (await list(path)).headers.get('etag') ?? '' };
    expect((await list(path, secret, headers)).status).toBe(304);
    expect((await list(path, secret)).status).toBe(402);
  });

  it('a search within a list of one store costs a look-up with the whole profile if it matches, else nothing', async () => {
    const listId = await newList(2);
    const found = async (slug: string) =>
      (await search({ where: { technologies: [{ any: [slug] }], list: { any: [listId] } }, limit: 1 })).body;
    expect(await found('hotjar')).toMatchObject({ data: [], billed: { lookup_cached: 0 } });
    expect(await found('klaviyo')).toMatchObject({ data: [{ domain: domainOf(2) }], billed: { lookup_cached: 1 } });
    await used({ lookupCached: 1 });
  });

  it('a list of another workspace is 404', async () => {
    const listId = await newList(2);
    system.changeWorkspace();
    const refused = await search({ where: { list: { any: [listId] } } });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
    expect((await list(`list_any=${listId}`)).status).toBe(404);
    expect((await system.send('HEAD', `/v1/stores?list_any=${listId}`)).status).toBe(404);
  });

  it('a cursor belongs to its query, workspace and edition, and serves both forms', async () => {
    const { next_cursor: cursor } = (await search({ where: klaviyo, limit: 2 })).body;
    expect(domains(await search({ where: klaviyo, limit: 1, cursor }))).toEqual([domainOf(6)]);
    expect(domains(await list(`technology_any=klaviyo&limit=1&cursor=${cursor}`))).toEqual([domainOf(6)]);
    const refusals = [
      await search({ where: klaviyo, sort: '-product_count', cursor }),
      await search({ cursor }),
      await list(`technology_any=loox&cursor=${cursor}`),
      await search({ where: klaviyo, cursor: `${cursor}x` }),
      await search({ where: klaviyo, cursor }, { secret: system.newKey().secret }),
    ];
    for (const { status, body } of refusals)
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^cursor: /)]);
  });

  it.each([
    [{ dropped: [{ any: ['judge-me'] }] }, 'where.dropped', 'read:signals'],
    [{ moved: { to_platform: ['shopify'] } }, 'where.moved', 'read:signals'],
    [{ list: { any: ['lst_1'] } }, 'where.list', 'read:watchlists'],
  ])(
    'a key without the scopes of %j gets 403 that names member and scope, from search and count',
    async (where, member, scope) => {
      const { secret } = system.newKey({ scopes: ['read:stores'] });
      for (const path of ['search', 'count']) {
        const refused = await system.send('POST', `/v1/stores/${path}`, { where }, { secret });
        expect([refused.status, messageOf(refused)]).toEqual([
          403,
          `${member} needs the scope ${scope}, which this key does not have.`,
        ]);
      }
    },
  );

  it.each([
    [{ where: { technologies: [{ any: ['klaviyo', 'klavyo'] }] } }, 'where.technologies[0].any[1]', 'klaviyo'],
    [{ where: { technologies: [{ any: ['shopify'] }] } }, 'where.technologies[0].any[0]', 'platform'],
    [{ where: { platform: { any: ['shopifi'] } } }, 'where.platform.any[0]', 'shopify'],
    [{ where: { technologies: [{ none: { category: 'review' } }] } }, 'where.technologies[0].none.category', 'reviews'],
    [
      { where: { technologies: [{ install_state: ['active'] }] } },
      'where.technologies[0]',
      'exactly one of all, any or none',
    ],
    [{ where: { tech: [] } }, 'where.tech', 'technologies'],
    [{ where: { products: { min: 105 } } }, 'where.products.min', 'the nearest is 110'],
    [{ sort: 'name' }, 'sort', '-product_count'],
  ])('%j is 400 that names the path, and what fits', async (body, path, hint) => {
    const refused = await search(body);
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining(`${path}: `)]);
    expect(messageOf(refused)).toContain(hint);
  });
});

describe('GET /v1/stores', () => {
  it('the flat form answers as its POST form does', async () => {
    const flat = await list(
      `technology_any=klaviyo,loox&category_none=email&country=AT,DE&products_min=100&first_observed_from=${daysAgo(30)}&sort=-product_count&limit=200`,
    );
    fitsContract(flat, 'listStores');
    const { where, sort } = { where: flat.body.where, sort: '-product_count' };
    const posted = await search({ where, sort, limit: 200 });
    expect(flat.body.data.length).toBeGreaterThan(3);
    const { request_id: _, ...rest } = flat.body;
    expect(posted.body).toMatchObject(rest);
  });

  it('an unknown parameter and an unknown value are 400 and named', async () => {
    expect(messageOf(await list('contry=DE'))).toContain('contry: is not a known parameter');
    expect(messageOf(await list('technology_any=klaviyo,klavyo'))).toContain('technology_any[1]: ');
    expect(messageOf(await list('install_state=active'))).toContain('install_state: must be sent with technology_any');
  });

  it('the same query of the same edition is 304 and free, and not of another query or workspace', async () => {
    const first = await list('country=AT');
    const tag = first.headers.get('etag') ?? '';
    expect([tag.slice(0, 3), first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'W/"',
      'private, no-cache',
      'Authorization',
    ]);
    const headers = { 'If-None-Match': tag };
    const same = await list('country=AT', system.key.secret, headers);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await list('country=AT&limit=5', system.key.secret, headers)).status).toBe(200);
    expect((await list('country=AT', system.newKey().secret, headers)).status).toBe(200);
    await used({ lookupCached: 11 });
  });

  it('a list whose stores have changed is not 304, although the edition is the same', async () => {
    const listId = await newList(2);
    const path = `list_any=${listId}&sort=domain`;
    const first = await list(path);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await list(path, system.key.secret, headers)).status).toBe(304);
    await system.send('POST', `/v1/lists/${listId}/stores`, { domains: [domainOf(4)] });
    const changed = await list(path, system.key.secret, headers);
    expect([changed.status, changed.body.edition.id]).toEqual([200, first.body.edition.id]);
    expect(domains(changed)).toEqual([2, 4].map(domainOf));
  });

  it('HEAD looks at no store and bills nothing', async () => {
    system.backends.forgetCalls();
    const head = await system.send('HEAD', '/v1/stores?technology_any=klaviyo');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(system.backends.calls('getStoreFacts')).toEqual([]);
    expect((await system.send('HEAD', '/v1/stores?country=XX')).status).toBe(400);
    await used({ lookupCached: 0 });
  });

  it('a key without the scope of a parameter gets 403', async () => {
    const { secret } = system.newKey({ scopes: ['read:stores'] });
    for (const query of ['dropped_any=loox', 'moved_to_platform=shopify', 'list_none=lst_1'])
      expect([query, (await list(query, secret)).status]).toEqual([query, 403]);
    expect((await list('country=DE', secret)).status).toBe(200);
    const { where } = (await search({ where: { country: { any: ['DE'] } } }, { secret })).body;
    expect((await search({ where }, { secret })).status).toBe(200);
  });
});
