import { systemClock } from '@shopscope/clock';
import { connectOpenSearch } from '@shopscope/opensearch';
import { openSearchOptions, silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindex } from '../../src/operations/reindex.ts';
import { createStateDocuments } from '../../src/outbound/opensearch/state-documents.ts';
import { createStoreIndexes } from '../../src/outbound/opensearch/store-indexes.ts';
import { count, editionWith, type SearchSystem, startSearchSystem, walk } from './harness.ts';

let system: SearchSystem;
beforeAll(async () => {
  system = await startSearchSystem('search-outages');
});
afterAll(() => system?.stop());

describe('outages', () => {
  it('while OpenSearch is unavailable, calls answer unavailable and updates wait; afterwards they are written', async () => {
    system.profiles.merge('first.example');
    const service = await system.start();
    const search = system.client(service);
    await editionWith(search, 1);
    await system.proxy.refuse();
    await system.publish({ domain: 'second.example', profileSequence: system.profiles.merge('second.example') });
    await waitUntil('calls to be refused', async () => {
      const error = await count(search).catch((thrown: unknown) => thrown);
      return (error as { code?: string }).code === 'unavailable';
    });
    expect(await service.pending()).toBe(1);
    await system.proxy.accept();
    await system.settled(service);
    await editionWith(search, 2);
  });

  it('while profiles is unavailable, counts work and updates wait', async () => {
    const service = await system.start();
    const search = system.client(service);
    await editionWith(search, 2);
    system.profiles.isAway = true;
    await system.publish({ domain: 'third.example', profileSequence: system.profiles.merge('third.example') });
    expect((await count(search)).total).toBe(2);
    await expect(walk(search)).rejects.toMatchObject({ code: 'internal' });
    system.profiles.isAway = false;
    await system.settled(service);
    await editionWith(search, 3);
  });

  it('a second index is filled while the first one serves, and updates of that time are in it', async () => {
    const service = await system.start();
    const search = system.client(service);
    for (let n = 0; n < 1_200; n++) system.profiles.merge(`refill-${String(n).padStart(4, '0')}.example`);
    const openSearch = connectOpenSearch(await openSearchOptions(system.namespace));
    const states = createStateDocuments(openSearch);
    const indexes = createStoreIndexes(openSearch, { shards: 1, replicas: 0 });
    const { logger } = silentTelemetry();
    const done = reindex({ clock: systemClock, logger, indexes, states }, new AbortController().signal);
    const updates = [1, 600, 1_199].map((n) => `refill-${String(n).padStart(4, '0')}.example`);
    for (const domain of updates) {
      await system.publish({ domain, profileSequence: system.profiles.merge(domain, { country: 'SE' }) });
    }
    await done;
    await system.settled(service);
    await editionWith(search, system.profiles.stores.size);
    const { rows } = await walk(search, { limit: 200 });
    expect(rows.map(({ domain }) => domain)).toEqual([...system.profiles.stores.keys()].sort());
    expect(rows.every(({ domain, sequence }) => sequence === (updates.includes(domain) ? 2 : 1))).toBe(true);
    await openSearch.close();
  });

  it('a cluster that has lost all data gets an index of all stores from profiles, without a backup', async () => {
    const search = system.client(await system.start());
    const before = await editionWith(search, system.profiles.stores.size);
    const openSearch = connectOpenSearch(await openSearchOptions(system.namespace));
    await openSearch.client.indices.delete({ index: `${system.namespace.indexPrefix}*` });
    await openSearch.close();
    await waitUntil('a new edition', async () => {
      const { edition } = await count(search);
      return edition && edition.id !== before.id && edition.stores === before.stores;
    });
    const { rows } = await walk(search, { limit: 200 });
    expect(rows.map(({ domain }) => domain)).toEqual([...system.profiles.stores.keys()].sort());
  });
});
