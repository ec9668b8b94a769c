import { connectOpenSearch, type OpenSearch } from '@shopscope/opensearch';
import { indexDefinition } from '@shopscope/store-search';
import { openSearchOptions } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPointsInTime } from '../../src/outbound/opensearch/points-in-time.ts';
import { createStoreIndexes } from '../../src/outbound/opensearch/store-indexes.ts';
import { count, editionWith, type SearchSystem, startSearchSystem } from './harness.ts';

let system: SearchSystem;
let openSearch: OpenSearch;
beforeAll(async () => {
  system = await startSearchSystem('partial');
  openSearch = connectOpenSearch(await openSearchOptions(system.namespace));
});
afterAll(async () => {
  await openSearch?.close();
  await system?.stop();
});

describe('an index without all of its copies', () => {
  it('an edition opens while the second copies of an index have no node, because one copy of each part is whole', async () => {
    for (let n = 0; n < 7; n++) system.profiles.merge(`store-${n}.example`);
    const search = system.client(await system.start({ INDEX_REPLICAS: '1' }));
    await editionWith(search, 7);
    expect((await count(search)).total).toBe(7);
  });

  it('no point in time opens of an index of which a part has no node, so no edition lacks stores', async () => {
    const indexes = createStoreIndexes(openSearch, { shards: 2, replicas: 0 });
    const index = indexes.nameOf('red');
    const { settings, mappings } = indexDefinition({ shards: 2, replicas: 0 });
    const routing = { 'routing.allocation.total_shards_per_node': 1 };
    const body = { settings: { index: Object.assign({}, settings.index, routing) }, mappings };
    await openSearch.client.indices.create({ index, body: body as never, wait_for_active_shards: 0 as never });
    const views = createPointsInTime(openSearch);
    await expect(views.open(index, '1m')).rejects.toMatchObject({ code: 'unavailable' });
    await indexes.delete(index);
  });
});
