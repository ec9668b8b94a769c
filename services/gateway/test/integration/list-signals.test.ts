import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import type { StoreSignal } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBackends, type TestKey } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';
import { startTestSubscriptions } from './support/subscriptions.ts';

const scopes = ['read:signals', 'read:watchlists', 'write:watchlists'];
const domainOf = (n: number) => `shop-${n}.example`;

describe('GET /v1/signals?list_id', () => {
  let backends: Awaited<ReturnType<typeof startBackends>>;
  let subscriptions: Awaited<ReturnType<typeof startTestSubscriptions>>;
  let gateway: TestGateway;
  let key: TestKey;
  let listId: string;

  beforeAll(async () => {
    backends = await startBackends();
    subscriptions = await startTestSubscriptions(backends.namespace);
    gateway = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: subscriptions.address } });
  });
  afterAll(async () => {
    await gateway?.stop();
    await subscriptions?.stop();
    await backends?.stop();
  });
  beforeEach(async () => {
    backends.forgetCalls();
    const quotas = { lists: 3, listStores: 25_000, watchlists: 1, watchedStores: 100, webhooks: 2 };
    key = backends.addKey({ scopes, plan: { quotas } });
    listId = await newList(key.secret);
    // Signal n, n hours old, is of store n modulo 10.
    backends.signals.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: 40 }, (_, n) => signal(n)));
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
  const send = (path: string, body: object, secret = key.secret) =>
    call(gateway, path, { method: 'POST', key: secret, body });
  const newList = async (secret: string) => (await send('/v1/lists', { name: 'Prospects' }, secret)).body.id as string;
  const addStores = (...numbers: number[]) => send(`/v1/lists/${listId}/stores`, { domains: numbers.map(domainOf) });
  const search = (query: string, secret = key.secret) => call(gateway, `/v1/signals?${query}`, { key: secret });
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
    expect(backends.calls('searchSignals').at(-1)).toMatchObject({
      ascending: true,
      filters: {
        technologies: ['klaviyo'],
        countries: ['DE'],
        withRetracted: true,
        stores: { domains: [domainOf(3), domainOf(7)] },
      },
    });
    // Three pages of three rows, the whole page, and the ascending one.
    await backends.metering.used(key.workspaceId, { historyQuery: 5 });
  });

  it('a list without stores has an empty page, which bills nothing', async () => {
    expect((await search(`list_id=${listId}`)).body).toEqual({ data: [], next_cursor: null, has_more: false });
    await backends.metering.used(key.workspaceId, { historyQuery: 0 });
  });

  it('a list of another workspace, of no workspace, or a deleted one is 404, also for HEAD', async () => {
    const theirs = await newList(backends.addKey({ scopes }).secret);
    const deleted = await newList(key.secret);
    await call(gateway, `/v1/lists/${deleted}`, { method: 'DELETE', key: key.secret });
    for (const id of [theirs, deleted, 'lst_unknown']) {
      const refused = await search(`list_id=${id}`);
      expect([id, refused.status, refused.body.error.code]).toEqual([id, 404, 'not_found']);
      const head = await call(gateway, `/v1/signals?list_id=${id}`, { method: 'HEAD', key: key.secret });
      expect([id, head.status]).toEqual([id, 404]);
    }
    expect((await search('list_id=wl_1')).status).toBe(400);
    expect(backends.calls('searchSignals')).toEqual([]);
  });

  it('a search with a list needs read:watchlists beside read:signals', async () => {
    const { secret } = backends.addKey({ scopes: ['read:signals'], workspaceId: key.workspaceId });
    const refused = await search(`list_id=${listId}`, secret);
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'forbidden_scope' }]);
    expect(refused.body.error.message).toContain('read:watchlists');
    expect((await search('', secret)).status).toBe(200);
  });

  it('a cursor belongs to its list', async () => {
    await addStores(1, 2);
    const { body } = await search(`list_id=${listId}&limit=1`);
    const other = await newList(key.secret);
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
      expect((await send(`/v1/lists/${listId}/stores`, { domains })).status).toBe(200);
    }
    await addStores(4, 5);
    const page = await search(`list_id=${listId}`);
    fitsContract(page, 'searchSignals');
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(ofStores(4, 5));
    expect(await walk(`list_id=${listId}&limit=3`)).toEqual(ofStores(4, 5));
    expect(backends.calls('searchSignals')).toEqual([]);
  });
});
