import { ManualClock } from '@shopscope/clock';
import type { CountStoresRequest, CountStoresResponse } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createTechnologyCounts } from './technology-counts.ts';

const origin = { requestId: 'req_1', traceparent: '', environment: 'live' as const };
const klaviyo = { slug: 'klaviyo', kind: 'service' };

function setUp() {
  const clock = new ManualClock(0);
  const state = { isAway: false, calls: 0 };
  const search = {
    async countStores({ facets }: CountStoresRequest): Promise<CountStoresResponse> {
      state.calls++;
      if (state.isAway) throw new Error('away');
      const values = [{ value: 'klaviyo', stores: 10 * state.calls }];
      const counted = facets.map((field) => ({ field, values: field === 'technology' ? values : [], unknown: 0 }));
      const edition = { id: 'edn_1', builtAtMs: 0, stores: 100 };
      return { edition, total: 70, notJudged: 0, facets: counted, sampleDomains: [] };
    },
  };
  const counts = createTechnologyCounts({ search, clock });
  const numberOf = async () => (await counts.numbers(origin))?.storesOf('klaviyo');
  const storesOf = async () => (await counts.figures(klaviyo, origin)).stores;
  return { clock, state, numberOf, storesOf };
}

it('the numbers of all technologies are counted once a minute for all pages', async () => {
  const { clock, state, numberOf } = setUp();
  expect(await Promise.all([numberOf(), numberOf()])).toEqual([10, 10]);
  clock.advance(59_999);
  expect(await numberOf()).toBe(10);
  clock.advance(1);
  expect([await numberOf(), state.calls]).toEqual([20, 2]);
});

it('while search is away, numbers and figures are not known, and search is asked for each of them every ten seconds', async () => {
  const { clock, state, numberOf, storesOf } = setUp();
  state.isAway = true;
  for (let n = 0; n < 3; n++) expect([await numberOf(), await storesOf()]).toEqual([undefined, null]);
  expect(state.calls).toBe(2);
  state.isAway = false;
  clock.advance(9_999);
  expect([await numberOf(), await storesOf()]).toEqual([undefined, null]);
  clock.advance(1);
  expect([await numberOf(), await storesOf(), state.calls]).toEqual([30, 70, 4]);
});

it('a failed count of one technology does not hide the numbers of all technologies', async () => {
  const { state, numberOf, storesOf } = setUp();
  await numberOf();
  state.isAway = true;
  expect([await storesOf(), await numberOf()]).toEqual([null, 10]);
});
