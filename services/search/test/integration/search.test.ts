import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import type { SearchServiceService } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, editionWith, find, queryOf, type SearchSystem, startSearchSystem, walk } from './harness.ts';

let system: SearchSystem;
let service: RunningService;
let search: GrpcClient<typeof SearchServiceService>;
const domainOf = (n: number) => `store-${String(n).padStart(3, '0')}.example`;

beforeAll(async () => {
  system = await startSearchSystem('search');
  for (let n = 0; n < 40; n++) {
    const technologies = n % 2 === 0 ? ['klaviyo'] : [];
    system.profiles.merge(domainOf(n), { country: n % 4 === 0 ? 'FR' : 'DE', technologies });
  }
  service = await system.start();
  search = system.client(service);
  await editionWith(search, 40);
});
afterAll(() => system?.stop());

const klaviyo = {
  quantifier: 'any' as const,
  selected: { by: 'slug' as const, values: ['klaviyo'] },
  includes_first_scan: false,
};

describe('search', () => {
  it('a walk has every store that profiles had before the first start, with the body of profiles', async () => {
    const { rows } = await walk(search, { limit: 7 });
    expect(rows.map(({ domain }) => domain)).toEqual([...system.profiles.stores.keys()].sort());
    for (const { domain, body, sequence, storefrontId } of rows) {
      const store = system.profiles.stores.get(domain);
      expect({ sequence, storefrontId }).toEqual({ sequence: store?.sequence, storefrontId: store?.storefrontId });
      expect(body.equals(store?.body as Buffer)).toBe(true);
    }
  });

  it('rows name the technologies that fit, and counts agree with the walk', async () => {
    const query = queryOf({ technologies: [klaviyo], country: { any: ['FR'] } });
    const { rows, editionId } = await walk(search, { query });
    expect(rows).toHaveLength(10);
    expect(rows.every(({ matched }) => matched.length === 1 && matched[0]?.technology === 'klaviyo')).toBe(true);
    const counted = await count(search, { query, editionId, facets: ['country', 'technology'] });
    expect(counted).toMatchObject({
      total: 10,
      notJudged: 0,
      edition: { id: editionId, stores: 40 },
      facets: [
        { field: 'country', values: [{ value: 'FR', stores: 10 }], other: 0, unknown: 0 },
        { field: 'technology', values: [{ value: 'klaviyo', stores: 10 }], unknown: 0 },
      ],
      sampleDomains: [0, 4, 8].map(domainOf),
    });
  });

  it('a count within a list has the stores of the list, and no sample', async () => {
    const context = { windowFrom: 0, lists: [{ listId: 'lst_1', domains: [1, 3, 5].map(domainOf) }] };
    const counted = await count(search, { query: queryOf({ list: { any: ['lst_1'] } }), context });
    expect(counted).toMatchObject({ total: 3, sampleDomains: [] });
  });

  it('a count without the stores of a list takes them out in whole tens, with every facet', async () => {
    const counted = async (numbers: readonly number[], any: readonly number[] = []) => {
      const lists = [
        { listId: 'lst_1', domains: numbers.map(domainOf) },
        { listId: 'lst_2', domains: any.map(domainOf) },
      ];
      const list = { none: ['lst_1'], ...(any.length > 0 && { any: ['lst_2'] }) };
      const facets = ['country', 'technology'];
      const { total, facets: found } = await count(search, {
        query: queryOf({ list }),
        context: { windowFrom: 0, lists },
        facets,
      });
      return [total, ...found.flatMap(({ values }) => values.map(({ value, stores }) => `${value} ${stores}`))];
    };
    const first = (stores: number) => Array.from({ length: stores }, (_, n) => n);
    const all = [40, 'DE 30', 'FR 10', 'klaviyo 20'];
    expect(await counted([1])).toEqual(all);
    expect(await counted(first(9))).toEqual(all);
    expect(await counted(first(10))).toEqual([30, 'DE 30', 'FR 10', 'klaviyo 20']);
    expect(await counted(first(20))).toEqual([20, 'DE 20', 'FR 10', 'klaviyo 10']);
    // Of twelve stores, ten are in the other list.
    expect((await counted(first(10), first(12)))[0]).toBe(2);
    expect((await counted(first(40).slice(10), first(12)))[0]).toBe(12);
  });

  it('an edition does not change, its rows show stores as they are now, and stores that are gone are left out', async () => {
    const query = queryOf({ technologies: [klaviyo] });
    const { edition } = await find(search, { query });
    const editionId = edition?.id ?? '';
    const changed = domainOf(2);
    const profileSequence = system.profiles.merge(changed, { technologies: [] });
    const gone = system.profiles.stores.get(domainOf(4));
    system.profiles.stores.delete(domainOf(4));
    await system.publish({ domain: changed, profileSequence });
    await system.settled(service);
    const { rows } = await walk(search, { query, editionId, limit: 3 });
    expect(rows).toHaveLength(19);
    expect(rows.filter(({ changedSinceEdition }) => changedSinceEdition).map(({ domain }) => domain)).toEqual([
      changed,
    ]);
    expect(rows.find(({ domain }) => domain === changed)).toMatchObject({ sequence: 2, matched: [] });
    expect((await count(search, { query, editionId })).total).toBe(20);
    if (gone) system.profiles.stores.set(domainOf(4), gone);
  });

  it('new stores are in an edition that opens by itself, and repeated and late events change nothing', async () => {
    const stores = Array.from({ length: 20 }, (_, n) => `new-${n}.example`);
    for (const domain of stores) {
      system.profiles.merge(domain);
      const profileSequence = system.profiles.merge(domain, { country: 'AT' });
      await system.publish({ domain, profileSequence }, { domain, profileSequence: 1 }, { domain, profileSequence });
    }
    await system.settled(service);
    await editionWith(search, 60);
    const { rows } = await walk(search, { query: queryOf({ country: { any: ['AT'] } }) });
    expect(rows.map(({ domain }) => domain)).toEqual(stores.sort());
    for (const domain of stores) system.profiles.stores.delete(domain);
  });

  it('a page is short when bodies are large, and a walk over short pages has every store once', async () => {
    const padding = 'x'.repeat(700_000);
    const stores = Array.from({ length: 10 }, (_, n) => `large-${n}.example`);
    for (const domain of stores) {
      await system.publish({ domain, profileSequence: system.profiles.merge(domain, { country: 'NL', padding }) });
    }
    await system.settled(service);
    const query = queryOf({ country: { any: ['NL'] } });
    await waitUntil('an edition with them', async () => (await count(search, { query })).total === 10);
    expect((await find(search, { query })).rows).toHaveLength(6);
    expect((await walk(search, { query })).rows.map(({ domain }) => domain)).toEqual(stores);
  });

  it('an edition that does not exist, a position that is not valid, and test keys are refused', async () => {
    const refused = { code: 'invalid_request' };
    await expect(find(search, { editionId: 'edn_unknown' })).rejects.toMatchObject(refused);
    await expect(find(search, { after: '{}' })).rejects.toMatchObject(refused);
    await expect(find(search, { limit: 201 })).rejects.toMatchObject(refused);
    const origin = { requestId: 'req_test', traceparent: '', environment: 'test' as const };
    const request = { query: queryOf(), editionId: '', after: '', limit: 1, context: undefined };
    await expect(search.findStores(request, { origin })).rejects.toMatchObject(refused);
  });
});
