import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import { type GetStoresRequest, type StoreSignal, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyOptions, TestKey } from './support/backends.ts';
import { collectEvents, forgetIdempotency, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;
let key: TestKey;

const scopes = ['read:stores', 'read:signals', 'read:jobs', 'read:watchlists', 'write:scans'];
const nowMs = Date.now();
const domain = 'shop.example';

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage?.stop();
  await gateway?.stop();
});
beforeEach(() => {
  const { backends } = gateway;
  backends.faults.clear();
  backends.forgetCalls();
  key = addKey();
  backends.addStore(domain);
  backends.addStore('stale.example', { lastCompletedScanAtMs: nowMs - 8 * dayMs });
  backends.signals.splice(0, Number.POSITIVE_INFINITY, ...[1, 2, 3].map(signalOf));
  const technology = {
    name: 'Klaviyo',
    kind: 'service',
    category: 'email',
    vendor: 'Klaviyo',
    website: 'https://k.example/',
    listingUrl: 'https://k.example/l',
  };
  const slugs = ['gorgias', 'klaviyo', 'yotpo'];
  backends.technologies.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...(slugs.map((slug) => ({ ...technology, slug })) as never[]),
  );
});

const addKey = (options: KeyOptions = {}) => gateway.backends.addKey({ scopes, ...options });

const signalOf = (days: number): StoreSignal => ({
  id: deriveId('evt', String(days)),
  type: 'technology_added',
  technology: 'klaviyo',
  from: undefined,
  to: 'active',
  confidence: 'high',
  effectiveAtMs: nowMs - days * dayMs,
  confirmedAtMs: nowMs - days * dayMs,
  domain,
  storefrontId: deriveId('sf', domain),
  retractedAtMs: undefined,
  retractedReason: undefined,
});

type Body = Record<string, unknown>;
const send = (body: Body, headers: Record<string, string> = {}) =>
  call(gateway, '/v1/graphql', { key: key.secret, body, headers });
const query = (text: string, more: Body = {}) => send({ query: text, ...more });
const get = (path: string) => call(gateway, path, { key: key.secret });
const eventsOf = () =>
  usage.events.filter(({ event }) => event.workspaceId === key.workspaceId).map(({ event }) => event);
const onlyUnit = { lookupLive: 0, refreshRequested: 0 };

const storeMembers = `brand_group_id domain storefront_host storefront_id name profile_url
  catalog { as_of product_count available_count coverage currency price_range { median p25 p75 } }
  geography { basis country } industry { basis slug } observation { coverage_note last_completed_scan_at scope }
  platform { name slug confidence first_observed_at last_confirmed_at } status { state as_of }
  technologies { category confidence first_observed_at install_state last_confirmed_at name slug }
  recent_signals { id type technology from to confidence effective_at confirmed_at }`;
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value;

describe('POST /v1/graphql', () => {
  it('a document answers every member of a store as REST does, and bills each known store with one durable event', async () => {
    const answer = await query(
      `query ($domains: [String!]!) { stores(domains: $domains) { input match reason store { ${storeMembers} } } }`,
      {
        variables: { domains: ['https://www.shop.example/x', 'stale.example', 'unknown.example', '127.0.0.1', domain] },
      },
    );
    expect(answer.status).toBe(200);
    fitsContract(answer, 'graphql');
    const rest = await call(gateway, '/v1/stores/enrich', {
      key: key.secret,
      body: { domains: ['https://www.shop.example/x', 'stale.example', 'unknown.example', '127.0.0.1', domain] },
    });
    const expected = rest.body.results.map(({ scan_requested: _, scan_job_id: __, ...result }: Body) => result);
    expect(sorted(answer.body.data.stores)).toEqual(sorted(expected));
    expect(answer.body.extensions.cost).toEqual({
      requested: { lookup_cached: 5, history_query: 0 },
      billed: { lookup_cached: 3, history_query: 0 },
      nodes: { requested: 5, limit: 1_000 },
    });
    await expect.poll(() => eventsOf().length).toBe(2);
    expect(eventsOf().map(({ units, operation }) => [operation, units])).toEqual([
      ['graphql', { ...onlyUnit, lookupCached: 3, historyQuery: 0 }],
      ['enrichStores', { ...onlyUnit, lookupCached: 3, historyQuery: 0 }],
    ]);
  });

  it('all look-ups and pages of a document are one look-up of stores, one reservation and one usage event', async () => {
    const domains = Array.from({ length: 98 }, (_, n) => `s${n}.example`);
    for (const each of domains) gateway.backends.addStore(each);
    const answer = await query(
      `query ($domains: [String!]!) {
        stores(domains: $domains) { store { name } }
        a: store(domain: "${domain}") { match }
        b: store(domain: "stale.example") { match }
        history(domain: "${domain}", first: 2) { edges { cursor node { id } } }
        signals(first: 1) { pageInfo { hasNextPage } }
      }`,
      { variables: { domains } },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.extensions.cost.billed).toEqual({ lookup_cached: 100, history_query: 2 });
    expect(gateway.backends.calls<GetStoresRequest>('getStores').map((each) => each.domains.length)).toEqual([100]);
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await gateway.backends.metering.counted(key.workspaceId, { lookupCached: 100, historyQuery: 2 });
    expect(eventsOf()).toHaveLength(1);
  });

  it('connections have the rows of REST, and cursors of both are accepted by the other', async () => {
    const path = `/v1/stores/${domain}/history?limit=2`;
    const page = (after?: string) =>
      query(
        `query ($after: String) { history(domain: "${domain}", first: 2, after: $after) {
          domain window { from to truncated_by_plan } observation { scope }
          edges { cursor node { id type from to effective_at retracted_at } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        { variables: { after } },
      );
    const { history } = (await page()).body.data;
    const rest = (await get(path)).body;
    expect(history.edges.map(({ node }: { node: Body }) => node)).toEqual(
      rest.data.map(({ id, type, from, to, effective_at, retracted_at }: Body) => ({
        id,
        type,
        from,
        to,
        effective_at,
        retracted_at,
      })),
    );
    expect(history).toMatchObject({ domain, observation: { scope: 'full' }, window: { truncated_by_plan: true } });
    expect(history.pageInfo).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: history.edges[0].cursor,
    });
    const second = await get(`${path}&cursor=${history.pageInfo.endCursor}`);
    expect(second.body.data.map(({ id }: Body) => id)).toEqual([signalOf(3).id]);
    const other = (await page(rest.next_cursor)).body.data.history;
    expect(other.edges.map(({ node }: { node: Body }) => node.id)).toEqual([signalOf(3).id]);
    expect(other.pageInfo).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: true,
      endCursor: other.edges[0].cursor,
    });
    const afterFirst = await get(`${path}&cursor=${history.edges[0].cursor}`);
    expect(afterFirst.body.data.map(({ id }: Body) => id)).toEqual([signalOf(2).id, signalOf(3).id]);
  });

  it('technologies and jobs continue after any row, and a job that the workspace does not have is null', async () => {
    const jobIds = ['a.example', 'b.example'].map(async (each) => {
      const enriched = await call(gateway, '/v1/stores/enrich', {
        key: key.secret,
        body: { domains: [each], refresh: true },
      });
      return enriched.body.results[0].scan_job_id as string;
    });
    const [id = ''] = await Promise.all(jobIds);
    const answer = await query(
      `query ($id: ID!) {
        technologies(first: 2) { edges { cursor node { slug listing_url kind } } pageInfo { endCursor } }
        jobs(first: 1, type: scan) { edges { cursor node { id state billed { lookup_live } } } pageInfo { endCursor hasNextPage } }
        job(id: $id) { id domain } none: job(id: "job_01kandxv3w9p4nsbq7g8e2hm5t") { id } odd: job(id: "x") { id }
      }`,
      { variables: { id } },
    );
    expect(answer.status).toBe(200);
    const { technologies, jobs, job, none, odd } = answer.body.data;
    expect([job.id, none, odd]).toEqual([id, null, null]);
    const rest = (await get('/v1/jobs?limit=1&type=scan')).body;
    expect([jobs.edges[0].node.id, jobs.pageInfo.endCursor]).toEqual([rest.data[0].id, rest.next_cursor]);
    const next = await get(`/v1/technologies?limit=2&cursor=${technologies.edges[0].cursor}`);
    expect(next.body.data.map(({ slug }: Body) => slug)).toEqual(['klaviyo', 'yotpo']);
    expect(eventsOf().filter(({ operation }) => operation === 'graphql')).toEqual([]);
  });

  it('account and usage are those of REST, and need no scope', async () => {
    key = addKey({ scopes: [] });
    const answer = await query(`{
      account { key { id label prefix environment scopes expires_at } workspace { id name } plan { slug limits { rpm } quotas { lists } } period { starts_at used { lookup_cached } } }
      usage { by_key { key_id label used { lookup_cached } } }
    }`);
    expect(answer.body.data.account).toMatchObject({
      key: (await get('/v1/account')).body.key,
      workspace: { id: key.workspaceId },
    });
    expect(answer.body.data.usage.by_key).toEqual([
      { key_id: key.keyId, label: expect.any(String), used: { lookup_cached: 0 } },
    ]);
  });

  it('a field outside the scopes of the key fails the whole document with 403 before anything is read', async () => {
    key = addKey({ scopes: ['read:stores'] });
    const answer = await query(
      `{ store(domain: "${domain}") { match } h: history(domain: "${domain}", first: 1) { domain } }`,
    );
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      403,
      'forbidden_scope',
      'The field h: history needs the scope read:signals, which this key does not have.',
    ]);
    expect(gateway.backends.calls('getStores')).toEqual([]);
    key = addKey({ scopes: ['read:signals'] });
    const ofList = await query('{ signals(first: 1, list_id: "lst_1") { pageInfo { endCursor } } }');
    expect([ofList.status, ofList.body.error.message]).toEqual([403, expect.stringContaining('read:watchlists')]);
  });

  it('an introspection beyond its bound is refused before anything is read, also in a dry run', async () => {
    const wide = Array.from({ length: 20 }, (_, n) => `a${n}: __schema { types { fields { name type { name } } } }`);
    const text = `{ store(domain: "${domain}") { match } ${wide.join(' ')} }`;
    for (const extensions of [{}, { dryRun: true }]) {
      const refused = await query(text, { extensions });
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining('at most 9,000 fields'),
      ]);
    }
    expect(gateway.backends.calls('getStores')).toEqual([]);
  });

  it('402 sends nothing and bills nothing, whatever part of the allowance is too small', async () => {
    const included = { lookupCached: 1, lookupLive: 1, historyQuery: 1, refreshRequested: 0 };
    key = addKey({ plan: { included } });
    const answer = await query(`{ stores(domains: ["${domain}", "stale.example"]) { match } }`);
    expect([answer.status, answer.body.error]).toMatchObject([
      402,
      { code: 'payment_required', unit: 'lookup_cached' },
    ]);
    const pages = await query(
      '{ a: signals(first: 1) { pageInfo { endCursor } } b: signals(first: 1) { pageInfo { endCursor } } }',
    );
    expect([pages.status, pages.body.error.unit]).toEqual([402, 'history_query']);
    expect((await query('{ signals(first: 1) { pageInfo { endCursor } } }')).status).toBe(200);
    gateway.backends.signals.length = 0;
    const empty = await query('{ signals(first: 1) { pageInfo { endCursor } } }');
    expect([empty.status, empty.body.error?.unit]).toEqual([402, 'history_query']);
  });

  it('an empty page and an unknown domain bill nothing', async () => {
    gateway.backends.signals.length = 0;
    const answer = await query(`{
      signals(first: 1) { edges { cursor } pageInfo { hasNextPage startCursor endCursor } }
      history(domain: "unknown.example", first: 1) { domain }
      none: store(domain: "unknown.example") { match reason store { name } }
    }`);
    expect(answer.body.data).toEqual({
      signals: { edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } },
      history: null,
      none: { match: 'no_match', reason: 'not_in_corpus', store: null },
    });
    expect(answer.body.extensions.cost.billed).toEqual({ lookup_cached: 0, history_query: 0 });
    expect(gateway.backends.calls('reserve')).toEqual([]);
  });

  it('a fault of a part fails the whole document with 500, unbilled', async () => {
    gateway.backends.faults.set('searchSignals', () => {
      throw new Error('fault');
    });
    const answer = await query(`{ store(domain: "${domain}") { match } signals(first: 1) { pageInfo { endCursor } } }`);
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    gateway.backends.stores.set('odd.example', {
      body: Buffer.from('{"domain":"odd.example"}'),
      etag: '"x"',
      lastCompletedScanAtMs: nowMs,
    });
    const odd = await query('{ store(domain: "odd.example") { store { domain name } } }');
    expect([odd.status, odd.body.error.code]).toEqual([500, 'internal']);
    expect(gateway.backends.calls('reserve')).toEqual([]);
    expect((await gateway.backends.metering.balanceOf(key.workspaceId)).taken).toMatchObject({ lookupCached: 0 });
  });

  it('an Idempotency-Key replays the answer, refuses another document, and bills once', async () => {
    const headers = { 'Idempotency-Key': 'graphql-one' };
    const body = { query: `{ store(domain: "${domain}") { match } signals(first: 1) { edges { cursor } } }` };
    const first = await send(body, headers);
    const second = await send(body, headers);
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect((await send({ query: '{ account { key { id } } }' }, headers)).status).toBe(409);
    await gateway.backends.metering.counted(key.workspaceId, { lookupCached: 1, historyQuery: 1 });
  });

  it('a retry whose stored answer is lost bills nothing more, and gets no 402 when the allowance is spent', async () => {
    key = addKey({ plan: { included: { lookupCached: 1, lookupLive: 0, historyQuery: 2, refreshRequested: 0 } } });
    const headers = { 'Idempotency-Key': 'graphql-lost' };
    const empty = '2020-01-01T00:00:00Z';
    const body = {
      query: `{ signals(first: 1) { edges { cursor } } none: history(domain: "stale.example", first: 1, to: "${empty}") { domain } }`,
    };
    const first = await send(body, headers);
    expect([first.status, first.body.extensions.cost.billed.history_query]).toEqual([200, 1]);
    await gateway.backends.metering.counted(key.workspaceId, { historyQuery: 1 });
    expect((await query('{ signals(first: 1) { edges { cursor } } }')).status).toBe(200);
    await forgetIdempotency(gateway.namespace);
    expect((await send({ ...body, query: `${body.query} ` }, { 'Idempotency-Key': 'graphql-other' })).status).toBe(402);
    const retry = await send(body, headers);
    expect([retry.status, retry.body.extensions.cost.billed.history_query]).toEqual([200, 1]);
    await gateway.backends.metering.used(key.workspaceId, { historyQuery: 2 });
  });

  it('a dry run answers the cost only, is free, and needs no allowance', async () => {
    const document = `{ stores(domains: ["${domain}", "x.example"]) { match } signals(first: 3) { edges { cursor } } }`;
    const answer = await query(document, { extensions: { dryRun: true } });
    fitsContract(answer, 'graphql');
    expect(answer.body).toEqual({
      extensions: {
        cost: {
          requested: { lookup_cached: 2, history_query: 1 },
          billed: { lookup_cached: 0, history_query: 0 },
          nodes: { requested: 5, limit: 1_000 },
        },
      },
    });
    expect(gateway.backends.calls('getStores')).toEqual([]);
    const limited = await query(document, { extensions: { maxUnits: { lookup_cached: 1 } } });
    expect([limited.status, limited.body.error.message]).toEqual([
      400,
      'extensions.maxUnits.lookup_cached: is 1, and the document could bill 2',
    ]);
  });

  it.each([
    ['{', 'query: Syntax Error: Expected Name, found <EOF> (line 1, column 2)'],
    [
      '{\n  store(domain: "a.example") { nope }\n}',
      'query: Cannot query field "nope" on type "EnrichResult" (line 2, column 32)',
    ],
    [
      'mutation { x }',
      'query: A document must be a query, not a mutation; webhooks deliver changes (line 1, column 1)',
    ],
    [
      'query a { __typename } query b { __typename }',
      'operationName: is required, because the document has 2 operations',
    ],
    [
      '{ signals(first: 201) { edges { cursor } } }',
      'signals.first: must be a whole number from 1 to 200, not "201" (line 1, column 3)',
    ],
    [
      '{ signals(first: 1, after: "x") { edges { cursor } } }',
      'signals.after: must be the next_cursor of a page of this query, not "x" (line 1, column 3)',
    ],
    [
      '{ h: history(domain: "localhost", first: 1) { domain } }',
      'h.domain: must be a hostname or an http(s) URL with a registrable domain, not "localhost" (line 1, column 3)',
    ],
    [
      '{ signals(first: 1, technology: ["a,b"]) { edges { cursor } } }',
      'signals.technology[0]: must be one value without a comma (line 1, column 3)',
    ],
  ])('the document %j answers 400 with the message %j', async (text, message) => {
    const answer = await query(text);
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      400,
      'invalid_request',
      message,
    ]);
  });

  it('an array of documents, GET and an unknown member are refused as in REST', async () => {
    const array = await call(gateway, '/v1/graphql', { key: key.secret, body: [{ query: '{ __typename }' }] });
    expect([array.status, array.body.error.code]).toEqual([400, 'invalid_request']);
    expect((await get('/v1/graphql?query={__typename}')).status).toBe(404);
    const unknown = await query('{ __typename }', { variables: { a: 1 } });
    expect(unknown.body.error.message).toBe('variables.a: is not a variable of the operation');
  });

  it('of several operations, operationName chooses one', async () => {
    const answer = await query('query a { a: __typename } query b { b: __typename }', { operationName: 'b' });
    expect(answer.body.data).toEqual({ b: 'Query' });
  });
});

it('GET /v1/graphql/schema has the schema for any valid key, and its types are those of an introspection', async () => {
  key = addKey({ scopes: [] });
  const answer = await get('/v1/graphql/schema');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/graphql; charset=utf-8']);
  const { body } = await query('{ __schema { types { name } queryType { name } } }');
  const named: string[] = body.data.__schema.types.map(({ name }: { name: string }) => name);
  for (const [, name] of answer.text.matchAll(/^(?:type|enum) (\w+)/gm)) expect(named).toContain(name);
  expect((await call(gateway, '/v1/graphql/schema')).status).toBe(401);
});
