import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import { connectOpenSearch, type OpenSearch } from '@shopscope/opensearch';
import type { SearchServiceService } from '@shopscope/proto';
import { createVocabulary, documentOf, type StoreFacts } from '@shopscope/store-search';
import { openSearchOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStoreIndexes } from '../../src/outbound/opensearch/store-indexes.ts';
import { editionWith, find, type SearchSystem, startSearchSystem, walk } from './harness.ts';

let system: SearchSystem;
let service: RunningService;
let search: GrpcClient<typeof SearchServiceService>;
const domainOf = (n: number) => `store-${n}.example`;

beforeAll(async () => {
  system = await startSearchSystem('removals');
  for (let n = 0; n < 10; n++) system.profiles.merge(domainOf(n));
  service = await system.start();
  search = system.client(service);
  await editionWith(search, 10);
});
afterAll(() => system?.stop());

const domainsOf = async (editionId?: string) =>
  (await walk(search, { limit: 7, ...(editionId && { editionId }) })).rows.map(({ domain }) => domain);

/** Opens an edition by twice as many stores. It holds everything that was acknowledged before. */
async function nextEdition() {
  await system.settled(service);
  const { stores = 0 } = (await find(search)).edition ?? {};
  const added = Array.from({ length: 2 * stores }, (_, n) => `added-${stores}-${n}.example`);
  await system.publish(...added.map((domain) => ({ domain, profileSequence: system.profiles.merge(domain) })));
  await waitUntil('the next edition', async () => ((await find(search)).edition?.stores ?? 0) > stores);
}

describe('removed profiles', () => {
  it('a removed store is in no page of an open edition, and not in the next edition', async () => {
    const { edition } = await find(search);
    const gone = [domainOf(1), domainOf(2)];
    for (const domain of gone) {
      system.profiles.stores.delete(domain);
      await system.publishRemoval(domain, 2);
    }
    await system.settled(service);
    expect(await domainsOf(edition?.id)).toEqual([0, 3, 4, 5, 6, 7, 8, 9].map(domainOf));
    // Profiles would return them if a hit named them.
    for (const domain of gone) system.profiles.merge(domain);
    await nextEdition();
    const shown = await domainsOf();
    expect(shown).toContain(domainOf(3));
    expect(shown.filter((domain) => gone.includes(domain))).toEqual([]);
  });

  it('a store that is observed anew after its removal appears, and the repeated removal does not take it out again', async () => {
    const domain = domainOf(4);
    system.profiles.stores.delete(domain);
    await system.publishRemoval(domain, 2);
    await system.settled(service);
    for (let sequence = 0; sequence < 3; ) sequence = system.profiles.merge(domain);
    await system.publish({ domain, profileSequence: 3 });
    await system.settled(service);
    await system.publishRemoval(domain, 2);
    await nextEdition();
    expect(await domainsOf()).toContain(domain);
  });
});

describe('the index of stores', () => {
  let openSearch: OpenSearch;
  beforeAll(async () => {
    openSearch = connectOpenSearch(await openSearchOptions(system.namespace));
  });
  afterAll(() => openSearch?.close());

  it('a write that is late does not bring a deleted document back, and a later one does', async () => {
    const indexes = createStoreIndexes(openSearch, { shards: 1, replicas: 0 });
    const index = indexes.nameOf('late');
    await indexes.create(index);
    const known = createVocabulary({
      technologies: [],
      countries: ['DE'],
      industries: [],
      presentSlug: (slug) => slug,
    });
    const facts = system.profiles.stores.get(domainOf(3));
    const document = (version: number) => {
      const body = JSON.parse(String(facts?.body)) as StoreFacts['body'];
      return documentOf({ ...facts, sequence: version, body, removed: [], moved: [] } as unknown as StoreFacts, known);
    };
    const deletion = (version: number) => ({ id: domainOf(3), version, document: null });
    const after = async (write: Parameters<typeof indexes.write>[1][number]) => {
      const { stale } = await indexes.write(index, [write]);
      await indexes.refresh(index);
      return { stale, stores: await indexes.count(index) };
    };
    expect(await after(document(4))).toEqual({ stale: 0, stores: 1 });
    expect(await after(deletion(3))).toEqual({ stale: 1, stores: 1 });
    expect(await after(deletion(5))).toEqual({ stale: 0, stores: 0 });
    expect(await after(deletion(5))).toEqual({ stale: 0, stores: 0 });
    expect(await after(document(4))).toEqual({ stale: 1, stores: 0 });
    expect(await after(document(6))).toEqual({ stale: 0, stores: 1 });
    await indexes.delete(index);
  });
});
