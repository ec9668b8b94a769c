import { createDeadline, type Deadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import type { SearchClient } from '../../peers/search-client.ts';
import { createStoreCounts } from './store-counts.ts';

function setUp() {
  const clock = new ManualClock(0);
  const calls: string[] = [];
  const state = { isAway: false };
  const search = {
    async countStores({ workspaceId }: { workspaceId: string }, { deadline }: { deadline: Deadline }) {
      deadline.timeoutMs();
      calls.push(workspaceId);
      if (state.isAway) throw new Error('away');
      const values = [{ value: 'klaviyo', stores: 10 + calls.length }];
      return { edition: { id: 'edn_1' }, count: { facets: [{ field: 'technology', values }] } };
    },
  } as unknown as SearchClient;
  const counts = createStoreCounts({ search, clock });
  const of = async (environment: 'live' | 'test', workspaceId: string, deadline = createDeadline(1_000)) => {
    const origin = { requestId: 'req_1', traceparent: '', environment };
    return (await counts.of({ workspaceId, origin, deadline }))?.storesOf('klaviyo');
  };
  return { clock, calls, state, of };
}

it('the stores of technologies are counted once a minute for all workspaces, and apart for each workspace of the test tenant', async () => {
  const { clock, calls, of } = setUp();
  expect(await Promise.all([of('live', 'ws_1'), of('live', 'ws_2')])).toEqual([11, 11]);
  expect([await of('test', 'ws_1'), await of('test', 'ws_2'), await of('test', 'ws_1')]).toEqual([12, 13, 12]);
  clock.advance(59_999);
  expect(await of('live', 'ws_3')).toBe(11);
  clock.advance(1);
  expect(await of('live', 'ws_3')).toBe(14);
  expect(calls).toHaveLength(4);
});

it('while search is away, the stores of technologies are not known, and search is asked every 10 s', async () => {
  const { clock, calls, state, of } = setUp();
  state.isAway = true;
  expect([await of('live', 'ws_1'), await of('live', 'ws_1')]).toEqual([undefined, undefined]);
  clock.advance(10_000);
  state.isAway = false;
  expect([await of('live', 'ws_1'), calls.length]).toEqual([12, 2]);
});

it('the shared count of live stores names no workspace and outlives its caller, so no workspace can hide the numbers from others', async () => {
  const { calls, of } = setUp();
  const disconnected = createDeadline(1_000);
  disconnected.cancel();
  await of('live', 'ws_1', disconnected);
  expect(await of('live', 'ws_2')).toBe(11);
  expect(await of('test', 'ws_1')).toBe(12);
  expect(calls).toEqual(['', 'ws_1']);
});
