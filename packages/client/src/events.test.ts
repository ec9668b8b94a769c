import { expect, test } from 'vitest';
import { failure, json, startScriptedService } from '../test/scripted-service.ts';

const page = (sequences: number[], cursor: string, hasMore = false) =>
  json(200, { data: sequences.map((sequence) => ({ sequence })), next_cursor: cursor, has_more: hasMore });
const queriesOf = (received: readonly { url: string }[]) =>
  received.map(({ url }) => Object.fromEntries(new URL(url, 'http://x').searchParams));

test('the events of all pages come in order, and end with what there is', async () => {
  await using service = await startScriptedService([page([1, 2], 'a', true), page([], 'b', true), page([3], 'c')]);
  const events = await Array.fromAsync(service.client.events({ types: ['scan.failed', 'scan.completed'] }));
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  const query = { limit: '200', types: 'scan.failed,scan.completed' };
  expect(queriesOf(service.received)).toEqual([query, { ...query, after: 'a' }, { ...query, after: 'b' }]);
});

test('a stored cursor is behind events that the loop has taken, and the next run continues there', async () => {
  await using service = await startScriptedService([page([1, 2], 'a', true), page([3], 'b'), page([], 'b')]);
  const seen: (number | string)[] = [];
  const onCursor = (cursor: string) => void seen.push(cursor);
  for await (const { sequence } of service.client.events({ onCursor })) seen.push(sequence);
  expect(seen).toEqual([1, 2, 'a', 3, 'b']);
  // The loop ended within a page: the cursor stays in front of it.
  await Array.fromAsync(service.client.events({ after: 'b', watchlistId: 'wl_1', onCursor }));
  expect(seen).toEqual([1, 2, 'a', 3, 'b']);
  expect(queriesOf(service.received).at(-1)).toEqual({ limit: '200', after: 'b', watchlist_id: 'wl_1' });
});

test('a loop that ends within a page stores no cursor after that page', async () => {
  await using service = await startScriptedService([page([1, 2], 'a')]);
  const cursors: string[] = [];
  for await (const _ of service.client.events({ onCursor: (cursor) => void cursors.push(cursor) })) break;
  expect(cursors).toEqual([]);
});

test('a follower waits for further events, asks at most once in a second, and ends with its signal', async () => {
  const ending = new AbortController();
  await using service = await startScriptedService([page([], 'a'), page([1], 'b'), page([2, 3], 'c')]);
  const seen: number[] = [];
  const follow = async () => {
    for await (const { sequence } of service.client.events({ follow: true, signal: ending.signal })) {
      seen.push(sequence);
      if (sequence === 3) ending.abort(new Error('enough'));
    }
  };
  await expect(follow()).rejects.toThrow('enough');
  expect(seen).toEqual([1, 2, 3]);
  expect(queriesOf(service.received)).toEqual([
    { limit: '200', wait: '8' },
    { limit: '200', wait: '8', after: 'a' },
    { limit: '200', wait: '8', after: 'b' },
  ]);
  expect(service.pauses.every((ms) => ms > 0 && ms <= 1_000)).toBe(true);
  expect(service.pauses).toHaveLength(2);
});

test('a cursor behind which events were deleted ends the iteration with the error of the service', async () => {
  await using service = await startScriptedService([failure(400, 'invalid_request')]);
  await expect(Array.fromAsync(service.client.events({ after: 'old', follow: true }))).rejects.toMatchObject({
    code: 'invalid_request',
  });
});
