import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import type { StoreSignal } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fitsContract } from './support/http.ts';
import { type StoreGroupsSystem, startStoreGroups } from './support/store-groups.ts';

const scopes = ['read:signals', 'read:watchlists', 'write:watchlists'];
const domainOf = (n: number) => `shop-${n}.example`;

describe('GET /v1/signals?list_id', () => {
  let system: StoreGroupsSystem;
  let listId: string;

  beforeAll(async () => {
    const quotas = { lists: 3, listStores: 25_000, watchlists: 1, watchedStores: 100, webhooks: 2 };
    system = await startStoreGroups({ scopes, plan: { quotas } });
  });
  afterAll(() => system?.stop());
  beforeEach(async () => {
    system.backends.forgetCalls();
    system.changeWorkspace();
    listId = await newList();
    // Signal n, n hours old, is of store n modulo 10.
    system.backends.signals.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: 40 }, (_, n) => signal(n)));
  });

  const signal = (n: number): StoreSignal => {
    const at = Date.now() - (n + 1) * (dayMs / 24);
    return {
      id: deriveId('evt', String(n)),
      type: 'technology_added',
      technology: 'klaviyo',
      from: undefined,
      to: 'active',
      confidence: 'high',
      effectiveAtMs: at,
      confirmedAtMs: at,
      domain: domainOf(n % 10),
      storefrontId: deriveId('sf', domainOf(n % 10)),
      retractedAtMs: undefined,
      retractedReason: undefined,
    };
  };
  const newList = async (secret = system.key.secret) =>
    (await system.send('POST', '/v1/lists', { name: 'Prospects' }, { secret })).body.id as string;
  const addStores = (...numbers: number[]) =>
    system.send('POST', `/v1/lists/${listId}/stores`, { domains: numbers.map(domainOf) });
  const search = (query: string, secret = system.key.secret) =>
    system.send('GET', `/v1/signals?${query}`, undefined, { secret });
  const ofStores = (...numbers: number[]) =>
    Array.from({ length: 40 }, (_, n) => n)
      .filter((n) => numbers.includes(n % 10))
      .map((n) => signal(n).id);
  const walk = async (query: string, between: (pages: number) => Promise<unknown> = async () => {}) => {
    const ids: string[] = [];
    for (let [cursor, pages] = ['', 1]; ; pages++) {
      const { status, body } = await search(query + (cursor && `&cursor=${cursor}`));
      expect(status).toBe(200);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) return ids;
      cursor = body.next_cursor;
      await between(pages);
    }
  };

  it('a search with a list has only signals of its stores, with all other filters, and bills one history_query per page with rows', async () => {
    await addStores(3, 7);
    const page = await search(`list_id=${listId}`);
    fitsContract(page, 'searchSignals');
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(ofStores(3, 7));
    expect(await walk(`list_id=${listId}&limit=3`)).toEqual(ofStores(3, 7));
    expect((await search(`list_id=${listId}&type=technology_removed`)).body).toMatchObject({
      data: [],
      has_more: false,
    });
    const filter = `technology=klaviyo&country=DE&order=asc&confirmed_from=2026-01-01T00:00:00Z&include=retracted`;
    expect((await search(`list_id=${listId}&${filter}`)).status).toBe(200);
    expect(system.backends.calls('searchSignals').at(-1)).toMatchObject({
      ascending: true,
      filters: {
        technologies: ['klaviyo'],
        countries: ['DE'],
        withRetracted: true,
        stores: { domains: [domainOf(3), domainOf(7)] },
      },
    });
    // Three pages of three rows, the whole page, and the ascending one.
    await system.backends.metering.used(system.key.workspaceId, { historyQuery: 5 });
  });

  it('a list without stores has an empty page, which bills nothing', async () => {
    expect((await search(`list_id=${listId}`)).body).toEqual({ data: [], next_cursor: null, has_more: false });
    await system.backends.metering.used(system.key.workspaceId, { historyQuery: 0 });
  });

  it('a list of another workspace, of no workspace, or a deleted one is 404, also for HEAD', async () => {
    const theirs = await newList(system.newKey().secret);
    const deleted = await newList();
    await system.send('DELETE', `/v1/lists/${deleted}`);
    for (const id of [theirs, deleted, 'lst_unknown']) {
      const refused = await search(`list_id=${id}`);
      expect([id, refused.status, refused.body.error.code]).toEqual([id, 404, 'not_found']);
      const head = await system.send('HEAD', `/v1/signals?list_id=${id}`);
      expect([id, head.status]).toEqual([id, 404]);
    }
    expect((await search('list_id=wl_1')).status).toBe(400);
    expect(system.backends.calls('searchSignals')).toEqual([]);
  });

  it('a search with a list needs read:watchlists beside read:signals', async () => {
    const { secret } = system.newKey({ scopes: ['read:signals'], workspaceId: system.key.workspaceId });
    const refused = await search(`list_id=${listId}`, secret);
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'forbidden_scope' }]);
    expect(refused.body.error.message).toContain('read:watchlists');
    expect((await search('', secret)).status).toBe(200);
  });

  it('a cursor belongs to its list', async () => {
    await addStores(1, 2);
    const { body } = await search(`list_id=${listId}&limit=1`);
    const other = await newList();
    for (const query of [`list_id=${other}&limit=1`, 'limit=1']) {
      const refused = await search(`${query}&cursor=${body.next_cursor}`);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('cursor')]);
    }
    expect((await search(`list_id=${listId}&limit=2&cursor=${body.next_cursor}`)).status).toBe(200);
  });

  it('each page has the stores that the list has when the page is read', async () => {
    await addStores(1);
    const ids = await walk(`list_id=${listId}&limit=2`, async (pages) => {
      if (pages === 1) await addStores(2);
    });
    // Two signals of store 1, then those of both stores.
    const later = ofStores(1, 2).filter((id) => ofStores(1, 2).indexOf(id) > ofStores(1, 2).indexOf(signal(11).id));
    expect(ids).toEqual([signal(1).id, signal(11).id, ...later]);
  });

  it('a search in a list of more than 5,000 stores walks through all signals and shows those of its stores', async () => {
    for (let from = 0; from < 6_000; from += 2_000) {
      const domains = Array.from({ length: 2_000 }, (_, n) => `other-${from + n}.example`);
      expect((await system.send('POST', `/v1/lists/${listId}/stores`, { domains })).status).toBe(200);
    }
    await addStores(4, 5);
    const page = await search(`list_id=${listId}`);
    fitsContract(page, 'searchSignals');
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(ofStores(4, 5));
    expect(await walk(`list_id=${listId}&limit=3`)).toEqual(ofStores(4, 5));
    expect(system.backends.calls('searchSignals')).toEqual([]);
  });
});
