import { describe, expect, test } from 'vitest';
import { failure, json, startScriptedService } from '../test/scripted-service.ts';

const page = (domains: string[], cursor: string | null, history_query = 0) =>
  json(200, {
    billed: { lookup_cached: domains.length, history_query },
    data: domains.map((domain) => ({ domain })),
    next_cursor: cursor,
  });
const where = { technologies: [{ any: ['klaviyo'] }] };
const domainsOf = (rows: readonly { domain: string }[]) => rows.map(({ domain }) => domain);

describe('search', () => {
  test('a search yields the rows of all pages of one cursor, also behind empty pages', async () => {
    await using service = await startScriptedService([page(['a', 'b'], 'x'), page([], 'y'), page(['c'], null)]);
    const pages: (string | null)[] = [];
    const rows = service.client.search(where, {
      sort: '-product_count',
      limit: 2,
      onPage: ({ next_cursor }) => pages.push(next_cursor),
    });
    expect(domainsOf(await Array.fromAsync(rows))).toEqual(['a', 'b', 'c']);
    expect(pages).toEqual(['x', 'y', null]);
    const request = { where, sort: '-product_count', limit: 2 };
    expect(service.received.map(({ method, url, body }) => [method, url, body])).toEqual(
      [null, 'x', 'y'].map((cursor) => ['POST', '/v1/stores/search', { ...request, cursor }]),
    );
  });

  test('each page of a search has an Idempotency-Key, which its attempts share', async () => {
    await using service = await startScriptedService([
      page(['a'], 'x'),
      failure(503, 'unavailable'),
      page(['b'], null),
    ]);
    await Array.fromAsync(service.client.search(where));
    const [first, second, repeated] = service.received.map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(repeated);
    expect(second).not.toBe(first);
  });

  test('a search with maxUnits asks for no more rows than its units allow, and then ends', async () => {
    await using service = await startScriptedService([page(['a', 'b'], 'x'), page(['c'], 'y')]);
    const rows = await Array.fromAsync(service.client.search(where, { limit: 2, maxUnits: { lookup_cached: 3 } }));
    expect(domainsOf(rows)).toEqual(['a', 'b', 'c']);
    expect(service.received.map(({ body }) => body)).toEqual([
      { where, limit: 2, cursor: null, max_units: { lookup_cached: 3 } },
      { where, limit: 1, cursor: 'x', max_units: { lookup_cached: 1 } },
    ]);
  });

  test('a search of removals ends before a page that needs a history_query more than maxUnits', async () => {
    await using service = await startScriptedService([page(['a'], 'x', 1), page(['b'], 'y', 1), page(['c'], null, 1)]);
    const dropped = { dropped: [{ any: ['yotpo'] }] };
    const rows = service.client.search(dropped, { maxUnits: { history_query: 2 } });
    expect(domainsOf(await Array.fromAsync(rows))).toEqual(['a', 'b']);
    expect(service.received).toHaveLength(2);
  });

  test('a search with an empty list of removals needs no history_query', async () => {
    await using service = await startScriptedService([page(['a'], null)]);
    const rows = service.client.search({ dropped: [] }, { maxUnits: { history_query: 0 } });
    expect(domainsOf(await Array.fromAsync(rows))).toEqual(['a']);
  });

  test('a search without units sends nothing', async () => {
    await using service = await startScriptedService([page(['a'], null)]);
    await Array.fromAsync(service.client.search(where, { maxUnits: { lookup_cached: 0 } }));
    expect(service.received).toEqual([]);
  });

  test('a search continues at a cursor, and a repeated cursor ends it with an error', async () => {
    await using service = await startScriptedService([page(['a'], 'kept')]);
    await expect(Array.fromAsync(service.client.search(where, { cursor: 'kept' }))).rejects.toThrow(
      'repeated a cursor',
    );
    expect(service.received[0]?.body).toMatchObject({ cursor: 'kept' });
  });

  test('a page of a search is requested when it is needed', async () => {
    await using service = await startScriptedService([page(['a'], 'x'), page(['b'], null)]);
    for await (const { domain } of service.client.search(where)) {
      expect(domain).toBe('a');
      break;
    }
    expect(service.received).toHaveLength(1);
  });

  test('an error of a later page of a search follows the rows before it', async () => {
    await using service = await startScriptedService([page(['a'], 'x'), failure(402, 'payment_required')]);
    const rows: string[] = [];
    const reading = (async () => {
      for await (const { domain } of service.client.search(where)) rows.push(domain);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'payment_required' });
    expect(rows).toEqual(['a']);
  });
});

test('a count sends its query with the facets', async () => {
  await using service = await startScriptedService([json(200, { total: { value: 12, relation: 'eq' } })]);
  const { total } = await service.client.count(where, { facets: ['country'], facetSize: 5 });
  expect(total).toEqual({ value: 12, relation: 'eq' });
  expect(service.received[0]).toMatchObject({
    method: 'POST',
    url: '/v1/stores/count',
    body: { where, facets: ['country'], facet_size: 5 },
  });
});

test('a flat search is a list of rows with its values separated by commas', async () => {
  await using service = await startScriptedService([page(['a'], 'x'), page(['b'], null)]);
  const rows = await Array.fromAsync(service.client.listStores({ country: ['DE', 'AT'], technology_any: 'klaviyo' }));
  expect(domainsOf(rows as { domain: string }[])).toEqual(['a', 'b']);
  const query = new URL(service.received[1]?.url ?? '', 'http://x').searchParams;
  expect(Object.fromEntries(query)).toEqual({ country: 'DE,AT', technology_any: 'klaviyo', cursor: 'x' });
});
