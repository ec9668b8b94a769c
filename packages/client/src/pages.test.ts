import { expect, test } from 'vitest';
import { failure, json, startScriptedService } from '../test/scripted-service.ts';

const page = (data: unknown[], cursor: string | null) => json(200, { data, next_cursor: cursor });

test('an awaited list is its first page', async () => {
  await using service = await startScriptedService([page([1, 2], 'next')]);
  await expect(service.client.listTechnologies({ kind: 'app', sort: '-stores' })).resolves.toEqual({
    data: [1, 2],
    next_cursor: 'next',
  });
  expect(service.received.map(({ url }) => url)).toEqual(['/v1/technologies?kind=app&sort=-stores']);
});

test('an iterated list has all items in order, also behind empty pages', async () => {
  await using service = await startScriptedService([page([1, 2], 'a'), page([], 'b'), page([3], null)]);
  const items = await Array.fromAsync(service.client.listTechnologies({ q: 'kl' }));
  expect(items).toEqual([1, 2, 3]);
  const cursors = service.received.map(({ url }) => new URL(url, 'http://x').searchParams.get('cursor'));
  expect(cursors).toEqual([null, 'a', 'b']);
  expect(service.received.every(({ url }) => url.includes('q=kl'))).toBe(true);
});

test('a page of a list is requested when it is needed, and the first one once', async () => {
  await using service = await startScriptedService([page([1], 'a'), page([2], 'b')]);
  const list = service.client.listTechnologies();
  await list;
  for await (const item of list) {
    expect(item).toBe(1);
    break;
  }
  expect(service.received).toHaveLength(1);
});

test('a list continues at a cursor', async () => {
  await using service = await startScriptedService([page([9], null)]);
  await Array.fromAsync(service.client.listTechnologies({ cursor: 'kept' }));
  expect(service.received[0]?.url).toBe('/v1/technologies?cursor=kept');
});

test('an ascending list ends with the page whose has_more is false, and the cursor of that page continues the list', async () => {
  const last = json(200, { data: [2], next_cursor: 'a', has_more: false });
  await using service = await startScriptedService([json(200, { data: [1], next_cursor: 'a', has_more: true }), last]);
  const query = { order: 'asc', confirmed_from: '2026-01-01T00:00:00Z' } as const;
  const pages = await Array.fromAsync(service.client.searchSignals(query).pages());
  expect(pages.map(({ data, next_cursor }) => [data, next_cursor])).toEqual([
    [[1], 'a'],
    [[2], 'a'],
  ]);
  expect(service.received).toHaveLength(2);
});

test('a parameter with several values is sent with commas, and one value alone as it is', async () => {
  await using service = await startScriptedService([page([9], null)]);
  await service.client.searchSignals({ technology: ['klaviyo', 'yotpo'], country: 'DE', type: ['technology_added'] });
  const query = new URL(service.received[0]?.url ?? '', 'http://x').searchParams;
  expect(Object.fromEntries(query)).toEqual({ technology: 'klaviyo,yotpo', country: 'DE', type: 'technology_added' });
});

test('a repeated cursor ends the iteration of a list with an error', async () => {
  await using service = await startScriptedService([page([1], 'a')]);
  await expect(Array.fromAsync(service.client.listTechnologies())).rejects.toThrow('repeated a cursor');
});

test('an error of a later page of a list follows the items before it', async () => {
  await using service = await startScriptedService([page([1], 'a'), failure(400, 'invalid_request')]);
  const items: unknown[] = [];
  const reading = (async () => {
    for await (const item of service.client.listTechnologies()) items.push(item);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'invalid_request' });
  expect(items).toEqual([1]);
});
