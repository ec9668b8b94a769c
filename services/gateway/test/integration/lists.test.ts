import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetIdempotency, startTestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';
import { domainsOf, type StoreGroupsSystem, startStoreGroups } from './support/store-groups.ts';

const scopes = ['read:watchlists', 'write:watchlists'];

describe('lists', () => {
  let system: StoreGroupsSystem;
  const quotas = { lists: 3, listStores: 1_000, watchlists: 1, watchedStores: 100, webhooks: 2 };
  beforeAll(async () => {
    system = await startStoreGroups({ scopes, plan: { quotas } });
  });
  afterAll(() => system?.stop());
  beforeEach(() => system.changeWorkspace());

  const send: StoreGroupsSystem['send'] = (...request) => system.send(...request);
  const newList = async (name = 'Prospects') => (await send('POST', '/v1/lists', { name })).body.id as string;

  it('a list is created, read, renamed, listed and deleted, each as the contract has it', async () => {
    const created = await send('POST', '/v1/lists', { name: 'Prospects' });
    expect(created.status).toBe(201);
    fitsContract(created, 'createList');
    const path = `/v1/lists/${created.body.id}`;
    const read = await send('GET', path);
    fitsContract(read, 'getList');
    expect(read.body).toEqual(created.body);
    const renamed = await send('PATCH', path, { name: 'Customers' });
    fitsContract(renamed, 'updateList');
    expect(renamed.body).toMatchObject({ id: created.body.id, name: 'Customers', store_count: 0 });
    expect((await send('PATCH', path, {})).body.name).toBe('Customers');
    const listed = await send('GET', '/v1/lists');
    fitsContract(listed, 'listLists');
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(['Customers']);
    const deleted = await send('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) expect((await send(method, path)).status).toBe(404);
  });

  it('stores are added with external ids, listed by domain, and removed, with a result for each input in order', async () => {
    const path = `/v1/lists/${await newList()}/stores`;
    const stores = [{ domain: 'https://www.b.example/', external_id: 'crm-2' }, { domain: 'localhost' }];
    const added = await send('POST', path, { stores });
    fitsContract(added, 'addListStores');
    expect(added.body.results).toEqual([
      { input: 'https://www.b.example/', domain: 'b.example', result: 'added' },
      { input: 'localhost', domain: null, result: 'invalid_domain' },
    ]);
    await send('POST', path, { domains: ['a.example', 'b.example'] });
    const listed = await send('GET', path);
    fitsContract(listed, 'listListStores');
    const row = (domain: string, external_id: string | null) => ({ domain, external_id, added_at: expect.any(String) });
    expect(listed.body).toEqual({ data: [row('a.example', null), row('b.example', 'crm-2')], next_cursor: null });
    await send('POST', path, { stores: [{ domain: 'b.example', external_id: null }] });
    expect((await send('GET', path)).body.data[1]).toEqual(row('b.example', null));
    const removed = await send('POST', `${path}/remove`, { domains: ['b.example', 'z.example', 'x'] });
    fitsContract(removed, 'removeListStores');
    expect(removed.body.results.map(({ result }: { result: string }) => result)).toEqual([
      'removed',
      'absent',
      'invalid_domain',
    ]);
    expect((await send('DELETE', `${path}/www.a.example`)).status).toBe(204);
    expect((await send('DELETE', `${path}/a.example`)).status).toBe(404);
    expect((await send('DELETE', `${path}/localhost`)).status).toBe(400);
  });

  it('the pages of lists and of stores are bound to the workspace and to the list', async () => {
    const [one, two] = [await newList('one'), await newList('two')];
    await send('POST', `/v1/lists/${one}/stores`, { domains: domainsOf(5) });
    const walk = async (path: string, limit: number) => {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await send(
          'GET',
          `${path}?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        seen.push(...body.data.map((each: { id?: string; domain: string }) => each.id ?? each.domain));
        if (body.next_cursor === null) return seen;
        cursor = body.next_cursor;
      }
    };
    expect(await walk('/v1/lists', 1)).toEqual([two, one]);
    expect(await walk(`/v1/lists/${one}/stores`, 2)).toEqual(domainsOf(5));
    const cursorOf = async (path: string) =>
      encodeURIComponent((await send('GET', `${path}?limit=1`)).body.next_cursor as string);
    const foreign = system.newKey();
    const ofLists = await cursorOf('/v1/lists');
    const ofStores = await cursorOf(`/v1/lists/${one}/stores`);
    const refused = [
      await send('GET', `/v1/lists?cursor=${ofLists}`, undefined, { secret: foreign.secret }),
      await send('GET', `/v1/lists?cursor=${ofStores}`),
      await send('GET', `/v1/lists/${two}/stores?cursor=${ofStores}`),
      await send('GET', `/v1/lists?cursor=${ofLists}x`),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toMatch(/^cursor: /);
    }
  });

  it('a request beyond a quota of the plan is 400, names it, and adds nothing', async () => {
    const listId = await newList();
    const path = `/v1/lists/${listId}/stores`;
    await send('POST', path, { domains: domainsOf(999) });
    const refused = await send('POST', path, { domains: ['x.example', 'y.example'] });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_request',
        message: 'list_stores: the plan allows 1000, the workspace uses 999, and this request would add 2',
      }),
    ]);
    expect((await send('GET', `/v1/lists/${listId}`)).body.store_count).toBe(999);
    await newList();
    await newList();
    expect((await send('POST', '/v1/lists', { name: 'fourth' })).body.error.message).toMatch(
      /^lists: the plan allows 3,/,
    );
  });

  it('a list of another workspace is 404 for every operation, and unchanged', async () => {
    const listId = await newList();
    await send('POST', `/v1/lists/${listId}/stores`, { domains: ['a.example'] });
    const path = `/v1/lists/${listId}`;
    const before = [(await send('GET', path)).text, (await send('GET', `${path}/stores`)).text];
    const { secret } = system.newKey();
    const asked: [string, string, unknown?][] = [
      ['GET', path],
      ['PATCH', path, { name: 'stolen' }],
      ['DELETE', path],
      ['GET', `${path}/stores`],
      ['POST', `${path}/stores`, { domains: ['b.example'] }],
      ['POST', `${path}/stores/remove`, { domains: ['a.example'] }],
      ['DELETE', `${path}/stores/a.example`],
    ];
    for (const [method, at, body] of asked) {
      const answer = await send(method, at, body, { secret });
      expect([method, at, answer.status, answer.body.error.code]).toEqual([method, at, 404, 'not_found']);
    }
    expect([(await send('GET', path)).text, (await send('GET', `${path}/stores`)).text]).toEqual(before);
  });

  it('a repeated request with an Idempotency-Key creates one list, even when the stored response is lost', async () => {
    const once = () => send('POST', '/v1/lists', { name: 'Once' }, { idempotencyKey: 'create-the-list' });
    const [first, second] = [await once(), await once()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    const other = await send('POST', '/v1/lists', { name: 'Other' }, { idempotencyKey: 'create-the-list' });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    await forgetIdempotency(system.backends.namespace);
    expect((await once()).body.id).toBe(first.body.id);
    expect((await send('GET', '/v1/lists')).body.data).toHaveLength(1);
  });

  it('wrong bodies are 400 and name the member', async () => {
    const path = `/v1/lists/${await newList()}`;
    const cases: [string, string, unknown, RegExp][] = [
      ['POST', '/v1/lists', {}, /^name: is required/],
      ['POST', '/v1/lists', { name: '' }, /^name: /],
      ['POST', '/v1/lists', { name: 'x'.repeat(201) }, /^name: must have at most 200 characters/],
      ['POST', '/v1/lists', { name: 'a\u202eb' }, /^name: The name has a character/],
      ['POST', '/v1/lists', { name: 'a', color: 'red' }, /^color: is not a known member/],
      ['PATCH', path, { id: 'lst_1' }, /^id: is not a known member/],
      ['PATCH', path, { name: null }, /^name: must be a string/],
      ['POST', `${path}/stores`, {}, /^body: must have either stores or domains/],
      [
        'POST',
        `${path}/stores`,
        { domains: ['a.example'], stores: [{ domain: 'a.example' }] },
        /^body: must have either/,
      ],
      ['POST', `${path}/stores`, { domains: [] }, /^domains: must have at least 1 entry/],
      ['POST', `${path}/stores`, { domains: domainsOf(2_001) }, /^domains: must have at most 2,000 entries/],
      [
        'POST',
        `${path}/stores`,
        { stores: [{ domain: 'a.example', note: 1 }] },
        /^stores\[0\]\.note: is not a known member/,
      ],
      [
        'POST',
        `${path}/stores`,
        { stores: [{ domain: 'a.example', external_id: ' a' }] },
        /^stores\[0\]\.external_id: /,
      ],
      ['POST', `${path}/stores/remove`, { stores: [] }, /^stores: is not a known member|^domains: is required/],
    ];
    for (const [method, at, body, message] of cases) {
      const answer = await send(method, at, body);
      expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
        400,
        'invalid_request',
        expect.stringMatching(message),
      ]);
    }
    expect((await send('GET', `${path.replace('lst_', 'wl_')}`)).status).toBe(400);
  });

  it('reading needs read:watchlists, and changing needs write:watchlists', async () => {
    const path = `/v1/lists/${await newList()}`;
    const reader = system.newKey({ scopes: ['read:watchlists'], workspaceId: system.key.workspaceId });
    const writer = system.newKey({ scopes: ['write:watchlists'], workspaceId: system.key.workspaceId });
    expect((await send('GET', path, undefined, { secret: reader.secret })).status).toBe(200);
    expect((await send('PATCH', path, { name: 'b' }, { secret: reader.secret })).body.error.code).toBe(
      'forbidden_scope',
    );
    expect((await send('GET', path, undefined, { secret: writer.secret })).body.error.code).toBe('forbidden_scope');
    expect((await send('DELETE', path, undefined, { secret: writer.secret })).status).toBe(204);
  });

  it('subscriptions being unavailable is 500 internal for lists, and nothing else changes', async () => {
    const alone = await startTestGateway({ backends: system.backends, env: { SUBSCRIPTIONS_ADDRESS: '127.0.0.1:1' } });
    try {
      const answer = await call(alone, '/v1/lists/lst_1', { key: system.key.secret });
      expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
      expect((await call(alone, '/v1/account', { key: system.key.secret })).status).toBe(200);
    } finally {
      await alone.stop();
    }
  });
});
