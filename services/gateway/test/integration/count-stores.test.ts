import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, fitsContract, type TestAnswer } from './support/http.ts';
import { putStore, type SearchTestSystem, startSearchTest } from './support/search.ts';
import { domainOf, fillCorpus, numbers } from './support/searched-corpus.ts';

const scopes = ['read:stores', 'read:signals', 'read:watchlists', 'write:watchlists'];
const quotas = { lists: 5, listStores: 250_000, watchlists: 1, watchedStores: 100, webhooks: 2 };
let system: SearchTestSystem;

beforeAll(async () => {
  system = await startSearchTest({ scopes, plan: { quotas, historyDays: 90, rpm: 100_000 } }, fillCorpus);
}, 120_000);
afterAll(() => system?.stop());
beforeEach(() => system.changeWorkspace());

const count = (body: object, options = {}) => system.send('POST', '/v1/stores/count', body, options);
const used = (units: object) => system.backends.metering.used(system.key.workspaceId, units as never);
const klaviyo = { technologies: [{ any: ['klaviyo'] }] };

async function newList(...stores: number[]): Promise<string> {
  const { id } = (await system.send('POST', '/v1/lists', { name: 'Prospects' })).body;
  await system.send('POST', `/v1/lists/${id}/stores`, { domains: stores.map(domainOf) });
  return id;
}

describe('POST /v1/stores/count', () => {
  it('a count has the exact total, facets that add up, the quote, what is left and a masked sample, and is free', async () => {
    const answer = await count({ where: klaviyo, facets: ['country', 'technology', 'country'], facet_size: 5 });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'countStores');
    expect(answer.body).toMatchObject({
      billed: { lookup_cached: 0, history_query: 0 },
      total: { value: 15, relation: 'eq' },
      not_judged: { scope_partial: { value: 0, relation: 'eq' } },
      quote: { lookup_cached: 15, history_query: 0 },
      left: { lookup_cached: 250_000, history_query: 25_000 },
      facets: [
        // 3 stores of Austria are fewer than 5, so they are in `other`, which is then not a small number either.
        { field: 'country', values: [], other: 15, unknown: 0 },
        { field: 'technology', other: null, unknown: 0 },
      ],
      sample: [2, 4, 6].map(() => ({ domain: 'st***.example' })),
    });
    expect(answer.body.facets[1].values).toEqual([
      { value: 'klaviyo', stores: 15 },
      { value: 'loox', stores: 5 },
    ]);
    await used({ lookupCached: 0, historyQuery: 0 });
  });

  it('stores that none cannot judge are counted apart', async () => {
    const { body } = await count({ where: { technologies: [{ none: ['klaviyo'] }] } });
    expect(body.total).toEqual({ value: 12, relation: 'eq' });
    expect(body.not_judged).toEqual({ scope_partial: { value: 5, relation: 'lt' } });
  });

  it('a total of 1 to 4 is hidden with all that stands beside it, and 0 stays 0', async () => {
    const hidden = await count({ where: { ...klaviyo, country: { any: ['AT'] } }, facets: ['technology'] });
    fitsContract(hidden, 'countStores');
    expect(hidden.body).toMatchObject({
      total: { value: 5, relation: 'lt' },
      not_judged: {},
      quote: {},
      facets: [],
      sample: [],
    });
    const none = await count({ where: { technologies: [{ any: ['hotjar'] }] } });
    expect(none.body).toMatchObject({ total: { value: 0, relation: 'eq' }, quote: { lookup_cached: 0 }, sample: [] });
  });

  it('with a list, numbers are rounded to tens and there is no sample, and below ten nothing is told, also not 0', async () => {
    const all = await newList(...numbers);
    const answer = await count({ where: { ...klaviyo, list: { any: [all] } }, facets: ['country'] });
    fitsContract(answer, 'countStores');
    expect(answer.body).toMatchObject({
      total: { value: 20, relation: 'approx' },
      not_judged: { scope_partial: { value: 10, relation: 'lt' } },
      quote: { lookup_cached: 20 },
      facets: [{ field: 'country', values: [{ value: 'DE', stores: 10 }], other: null, unknown: null }],
      sample: [],
    });
    const one = await newList(2);
    const answers = [];
    for (const slug of ['klaviyo', 'hotjar']) {
      const where = { technologies: [{ any: [slug] }], list: { any: [one] } };
      const { body } = await count({ where, facets: ['country', 'technology'] });
      answers.push([body.total, body.not_judged, body.quote, body.facets, body.sample]);
    }
    expect(answers[0]).toEqual([{ value: 10, relation: 'lt' }, {}, {}, [], []]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('a count of dropped or moved bills one history_query, once under an Idempotency-Key, and says its window', async () => {
    const where = { dropped: [{ any: ['judge-me'] }] };
    const options = { idempotencyKey: 'count-once-1' };
    const first = await count({ where, facets: ['dropped_month'] }, options);
    fitsContract(first, 'countStores');
    expect(first.body).toMatchObject({
      billed: { history_query: 1 },
      total: { value: 6, relation: 'eq' },
      quote: { history_query: 1 },
    });
    expect(first.body.window.truncated_by_plan).toBe(true);
    expect((await count({ where, facets: ['dropped_month'] }, options)).text).toBe(first.text);
    await used({ historyQuery: 1 });
    const included = { lookupCached: 10, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const { secret } = system.newKey({ plan: { included, quotas } });
    const refused = await count({ where }, { secret });
    expect([refused.status, refused.body.error.unit]).toEqual([402, 'history_query']);
  });

  it.each([
    [{ facets: ['countries'] }, 'facets[0]: must be platform'],
    [{ facets: ['technology:category=review'] }, 'facets[0]'],
    [{ facets: ['dropped_month'] }, 'facets[0]: must be sent with a clause of where.dropped'],
    [{ facet_size: 101 }, 'facet_size: must be at most 100'],
    [{ sort: 'domain' }, 'sort: is not a known member'],
  ])('%j is 400 that names the member', async (body, message) => {
    const refused = await count(body);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the stores of a technology', () => {
  const technology = (slug: string, kind: string) => ({
    slug,
    name: slug,
    kind,
    category: 'reviews',
    vendor: slug,
    website: 'https://vendor.example/',
    listingUrl: 'https://vendor.example/',
  });
  const get = (path: string) => call(system.gateway, path, { key: system.key.secret });

  it('a technology has its active stores by platform, country and industry, and what is found beside it, free', async () => {
    system.backends.technologies.push(technology('klaviyo', 'service'), technology('shopify', 'platform'));
    const answer = await get('/v1/technologies/klaviyo');
    fitsContract(answer, 'getTechnology');
    expect(answer.body).toMatchObject({
      stores: 15,
      by_platform: [{ platform: 'shopify', stores: 15 }],
      by_country: [],
      by_industry: [{ industry: 'apparel', stores: 15 }],
      found_beside: [{ technology: 'loox', stores: 5 }],
    });
    expect((await get('/v1/technologies/shopify')).body).toMatchObject({
      stores: 30,
      by_country: [
        { country: 'DE', stores: 24 },
        { country: 'AT', stores: 6 },
      ],
      found_beside: [
        { technology: 'klaviyo', stores: 15 },
        { technology: 'loox', stores: 10 },
      ],
    });
    const page = await get('/v1/technologies');
    fitsContract(page, 'listTechnologies');
    expect(page.body.data.map(({ slug, stores }: { slug: string; stores: number }) => [slug, stores])).toEqual([
      ['klaviyo', 15],
      ['shopify', 30],
    ]);
    const byStores = await get('/v1/technologies?sort=-stores&limit=1');
    fitsContract(byStores, 'listTechnologies');
    const next = await get(`/v1/technologies?sort=-stores&cursor=${encodeURIComponent(byStores.body.next_cursor)}`);
    expect([byStores, next].map(({ body }) => [body.data[0].slug, body.data.length])).toEqual([
      ['shopify', 1],
      ['klaviyo', 1],
    ]);
    await used({ lookupCached: 0, historyQuery: 0 });
  });
});

describe('a test key', () => {
  const answersOf = async (secret: string) => {
    const rows = await system.send('POST', '/v1/stores/search', { where: klaviyo, limit: 4 }, { secret });
    const flat = await call(system.gateway, '/v1/stores?technology_any=klaviyo&limit=4', { key: secret });
    const counted = await count({ where: klaviyo, facets: ['country'] }, { secret });
    return [rows, flat, counted];
  };
  const domains = ({ body }: TestAnswer) => body.data.map(({ domain }: { domain: string }) => domain);

  it('search and count see the stores of the test tenant only, and a live key never sees them', async () => {
    for (let n = 1; n <= 12; n++)
      putStore(system.backends, `store-${String(n).padStart(4, '0')}.test`, { technologies: { klaviyo: n } }, 'test');
    const { secret } = system.newKey({ environment: 'test' });
    const [rows, flat, counted] = (await answersOf(secret)) as [TestAnswer, TestAnswer, TestAnswer];
    fitsContract(rows, 'searchStores');
    fitsContract(counted, 'countStores');
    const first = ['store-0001.test', 'store-0002.test', 'store-0003.test', 'store-0004.test'];
    expect([domains(rows), domains(flat)]).toEqual([first, first]);
    const { next_cursor: cursor } = rows.body;
    expect(
      domains(await system.send('POST', '/v1/stores/search', { where: klaviyo, cursor }, { secret })),
    ).toHaveLength(8);
    expect(counted.body).toMatchObject({
      total: { value: 12, relation: 'eq' },
      facets: [{ field: 'country', values: [{ value: 'DE', stores: 12 }], other: 0, unknown: 0 }],
      edition: { id: 'edn_test' },
    });
    const tag = flat.headers.get('etag') as string;
    const same = await call(system.gateway, '/v1/stores?technology_any=klaviyo&limit=4', {
      key: secret,
      headers: { 'If-None-Match': tag },
    });
    expect(same.status).toBe(304);
    expect((await count({ where: klaviyo })).body.total.value).toBe(15);
  });
});

describe('without search', () => {
  it('searches and counts are 503 with Retry-After and unbilled, and look-ups and the technologies answer', async () => {
    await system.stopSearch();
    const answers = [
      await system.send('POST', '/v1/stores/search', {}),
      await call(system.gateway, '/v1/stores', { key: system.key.secret }),
      await count({}),
    ];
    for (const { status, body, headers } of answers)
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    system.backends.addStore('shop.example');
    for (const path of ['/v1/stores/shop.example', '/v1/technologies'])
      expect((await call(system.gateway, path, { key: system.key.secret })).status).toBe(200);
    const technology = await call(system.gateway, '/v1/technologies/klaviyo', { key: system.key.secret });
    fitsContract(technology, 'getTechnology');
    expect(technology.body).toMatchObject({ slug: 'klaviyo', stores: null, found_beside: null, edition: null });
    await used({ lookupCached: 1 });
  });
});
