import { expect, test } from 'vitest';
import { connect, exampleOf } from '../../test/connect.ts';

const page = exampleOf('/v1/stores/search', 'post') as { data: object[] };
const store = { name: '<b>Shop', platform: 'shopify', country: 'DE', industry: 'beauty' };
const compact = {
  ...page,
  data: page.data.map((row) => ({ ...row, store: { ...store, last_completed_scan_at: '2026-01-15T12:00:00Z' } })),
};
const replies = ({ path }: { path: string }) => ({
  body: path === '/v1/stores/count' ? exampleOf('/v1/stores/count', 'post') : compact,
});

test('count_stores is free, and answers the total, its facets and what the rows would bill', async () => {
  const { call, calls } = await connect((sent) => {
    const { body } = replies(sent);
    return { body: { ...(body as object), billed: { lookup_cached: 0, history_query: 0 } } };
  });
  const input = { platform: 'shopify', technology_any: ['klaviyo'], category_none: 'reviews', facets: ['country'] };
  const { structuredContent } = await call('count_stores', input);
  expect(structuredContent).toMatchObject({
    ask: null,
    total: { value: 215, relation: 'eq' },
    all_rows_bill: { lookup_cached: 215, history_query: 5 },
    facets: [{ field: 'country', values: [{ value: 'DE', stores: 180 }, expect.anything()] }],
    units_billed: 0,
    units_left_today: 200,
  });
  const technologies = [{ any: ['klaviyo'] }, { none: { category: ['reviews'] } }];
  expect(calls[0]?.body).toEqual({ where: { platform: { any: ['shopify'] }, technologies }, facets: ['country'] });
});

test('count_stores with removals asks before it bills a history_query', async () => {
  const { call, calls } = await connect(replies);
  const input = { dropped_any: ['loox'] };
  expect((await call('count_stores', input)).structuredContent).toMatchObject({
    ask: 'This count bills 1 history_query. Shall I count?',
    total: null,
    units_billed: 0,
  });
  expect(calls).toEqual([]);
  expect((await call('count_stores', { ...input, confirm: true })).structuredContent).toMatchObject({
    ask: null,
    total: { value: 215 },
    units_billed: 1,
    units_left_today: 199,
  });
});

test('find_stores says what it would bill, and finds the stores when the user has agreed', async () => {
  const { call, calls } = await connect(replies);
  const input = { dropped_any: 'loox', moved_to_platform: null, limit: 5 };
  expect((await call('find_stores', input)).structuredContent).toMatchObject({
    ask: 'This bills up to 5 lookup_cached and 1 history_query, one for each row. Shall I find the stores?',
    stores: [],
    units_billed: 0,
  });
  expect(calls).toEqual([]);
  expect((await call('find_stores', { ...input, confirm: true })).structuredContent).toMatchObject({
    ask: null,
    stores: [{ domain: 'shop.example', name: '‹b›Shop', dropped: [{ technology: 'loox' }] }],
    units_billed: 2,
    units_left_today: 198,
  });
  expect(calls[0]?.body).toEqual({
    where: { dropped: [{ any: ['loox'] }] },
    sort: 'domain',
    view: 'compact',
    limit: 5,
    max_units: { lookup_cached: 5, history_query: 1 },
  });
});

test('find_stores is refused before a call when its rows could exceed the budget', async () => {
  const { call, calls } = await connect(replies, { dailyUnits: 4 });
  expect(await call('find_stores', { country: ['DE'], limit: 5, confirm: true })).toMatchObject({ isError: true });
  expect(calls).toEqual([]);
});

test('a condition of find_stores without its clause is refused and not left out', async () => {
  const { call, calls } = await connect(replies);
  const result = await call('find_stores', { install_state: ['active'], confirm: true });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('need technology_any') }] });
  expect(calls).toEqual([]);
});

test('describe_technology answers the stores of a technology, free', async () => {
  const { call } = await connect(() => ({ body: exampleOf('/v1/technologies/{slug}', 'get') }));
  const { structuredContent, isError } = await call('describe_technology', { slug: 'klaviyo' });
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({ slug: 'klaviyo', kind: 'service', units_billed: 0 });
});

test('list_technologies has the stores of each technology, and asks for the order by stores', async () => {
  const { call, calls } = await connect(() => ({ body: exampleOf('/v1/technologies', 'get') }));
  const { structuredContent } = await call('list_technologies', { sort: '-stores' });
  expect(structuredContent).toMatchObject({ technologies: [{ slug: 'klaviyo', stores: 4_210 }], units_billed: 0 });
  expect(calls).toMatchObject([{ path: '/v1/technologies?sort=-stores&limit=25' }]);
});
