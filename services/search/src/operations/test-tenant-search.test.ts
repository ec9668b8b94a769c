import { createDeadline } from '@shopscope/async';
import { describe, expect, it } from 'vitest';
import { createSearchSystem } from '../../test/support/search-system.ts';
import { countStores } from './count-stores.ts';
import { testTenantSearch } from './test-tenant-search.ts';

/** Counts the stores that were dropped in each of a hundred months: as many aggregations. */
const request = {
  query: {
    where: {
      status: { any: ['active_storefront'] },
      technologies: [],
      dropped: [{ quantifier: 'any' as const, selected: { by: 'slug' as const, values: ['klaviyo'] } }],
    },
    sort: 'domain' as const,
  },
  context: { windowFrom: 20_100_101 },
  editionId: '',
  facets: ['dropped_month'],
  facetSize: 100,
};

function setUp() {
  const { instance, profiles, facts } = createSearchSystem();
  for (let n = 0; n < 1_000; n++) profiles.set(`store-${n}.test`, 1);
  const removed = [{ slug: 'klaviyo', signalId: 'evt_1', effectiveAtMs: Date.UTC(2026, 5, 1), confirmedAtMs: 0 }];
  const list = async (after: string, limit: number) => {
    const page = await facts.list(after, limit);
    return { ...page, stores: page.stores.map((store) => ({ ...store, removed })) };
  };
  return testTenantSearch(instance('a', { facts: Object.assign({}, facts, { list }) }));
}

describe('a search in the test tenant', () => {
  it('a costly count in the test tenant lets other calls run between its steps', async () => {
    const counting = countStores(setUp(), request, createDeadline(60_000));
    const state = { isCounted: false, turns: 0 };
    const counted = counting.finally(() => {
      state.isCounted = true;
    });
    while (!state.isCounted) {
      state.turns += 1;
      await new Promise(setImmediate);
    }
    expect((await counted).facets[0]?.values).toEqual([{ value: '2026-06', stores: 1_000 }]);
    expect(state.turns).toBeGreaterThan(100);
  });

  it('a count sends one request after another to the engine, the sample too', async () => {
    const deps = setUp();
    let running = 0;
    const atOnce: number[] = [];
    const pointsInTime: typeof deps.pointsInTime = {
      async search(...asked) {
        atOnce.push(++running);
        await new Promise(setImmediate);
        const found = await deps.pointsInTime.search(...asked);
        running--;
        return found;
      },
    };
    const { sampleDomains } = await countStores({ ...deps, pointsInTime }, request, createDeadline(60_000));
    expect(sampleDomains).toHaveLength(3);
    expect(atOnce.length).toBeGreaterThan(1);
    expect(Math.max(...atOnce)).toBe(1);
  });

  it('a count in the test tenant ends with its deadline', async () => {
    const deadline = { timeoutMs: () => 1 };
    await expect(countStores(setUp(), request, deadline)).rejects.toThrow('took too long');
  });
});
