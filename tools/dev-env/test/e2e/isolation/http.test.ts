import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import type { Answer } from '../client.ts';
import type { Ask } from './asker.ts';
import type { HttpRow as Row } from './http-row.ts';
import { bodyOf, createTenant, everythingOf, type Tenant, tracesIn } from './tenant.ts';
import { webhookRows } from './webhook-http-rows.ts';

/**
 * Two workspaces and every operation of the contract. Workspace B sends every variant of each request, under its own key and
 * with A's ids. No response, header or count may contain data of A. The matrix covers openapi.json: a missing row fails.
 */
const discovery = (path: string): Row => ({
  sharedBecause: 'a public document, the same without any key',
  asks: () => [{ path }],
});

/** The workspace's own jobs, and those of the other workspace, which are not found. */
const jobRow = (suffix: string, status: number): Row => ({
  asks: (own, other) =>
    [own, other]
      .flatMap(({ jobId, bulkJobId, replayId }) => [jobId, bulkJobId, replayId])
      .map((jobId) => ({ path: `/v1/jobs/${jobId}${suffix}` })),
  expect: (answers) => expect(answers.map((answer) => answer.status)).toEqual([status, status, status, 404, 404, 404]),
});

/** The workspace's own list, and the list of the other workspace, which is not found. Deletions use further lists. */
const listRow = (suffix: string, status: number, more: Partial<Ask> = {}): Row => ({
  asks: (own, other) => [own, other].map(({ listId }) => ({ path: `/v1/lists/${listId}${suffix}`, ...more })),
  expect: (answers) => expect(answers.map((answer) => answer.status)).toEqual([status, 404]),
});

const watchlistRow = (suffix: string, status: number, more: Partial<Ask> = {}): Row => ({
  asks: (own, other) =>
    [own, other].map(({ watchlistId }) => ({ path: `/v1/watchlists/${watchlistId}${suffix}`, ...more })),
  expect: (answers) => expect(answers.map((answer) => answer.status)).toEqual([status, 404]),
});

/** One corpus for all workspaces. A list belongs to its workspace. */
const searchRow = (name: string): Row => ({
  asks: (own, other) => [
    { path: `/v1/stores/${name}`, body: { where: { platform: { any: ['shopify'] } } } },
    ...[own, other].map(({ listId }) => ({ path: `/v1/stores/${name}`, body: { where: { list: { any: [listId] } } } })),
  ],
  expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]),
});

/** The test tenant of the workspace. The other workspace has one of its own. */
const testRow = (name: string, body: object): Row => ({
  isOfTestKeys: true,
  asks: () => [{ path: `/v1/test/${name}`, body }],
  expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200]),
});

const rows: Record<string, Row> = {
  getHost: discovery('/'),
  getIndex: discovery('/v1'),
  getHealth: discovery('/v1/health'),
  getOpenapi: discovery('/v1/openapi.json'),
  listTechnologies: {
    sharedBecause: 'one vocabulary for all workspaces; a cursor holds a position and a query, and no workspace',
    asks: () =>
      ['limit=2', 'kind=app&limit=1', 'sort=-stores&limit=2'].map((query) => ({ path: `/v1/technologies?${query}` })),
  },
  getTechnology: {
    sharedBecause: 'one vocabulary for all workspaces',
    asks: () => [{ path: '/v1/technologies/klaviyo' }, { path: '/v1/technologies/shopify' }],
  },
  getStore: {
    sharedBecause:
      'one corpus for all workspaces: an observation is public on the web, whichever workspace requested the scan',
    asks: (own, other) => [{ path: `/v1/stores/${own.domain}` }, { path: `/v1/stores/${other.domain}` }],
  },
  getStoreHistory: {
    // The window has the time of the request, so the responses of two workspaces differ.
    asks: (own, other) => [
      { path: `/v1/stores/${own.domain}/history` },
      { path: `/v1/stores/${other.domain}/history?limit=1` },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200, 200]),
  },
  searchSignals: {
    // One corpus for all workspaces. A list belongs to its workspace.
    asks: (own, other) => [
      { path: '/v1/signals?type=technology_added&limit=1' },
      { path: `/v1/signals?list_id=${own.listId}` },
      { path: `/v1/signals?list_id=${other.listId}` },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]),
  },
  listStores: {
    // One corpus for all workspaces. A list belongs to its workspace.
    asks: (own, other) => [
      { path: '/v1/stores?limit=1' },
      { path: `/v1/stores?list_any=${own.listId}` },
      { path: `/v1/stores?list_any=${other.listId}` },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]),
  },
  searchStores: searchRow('search'),
  countStores: searchRow('count'),
  listEvents: {
    // Scans have ended in both workspaces. The sequence of each begins with 1, and a position belongs to its workspace.
    asks: () => [{ path: '/v1/events' }, { path: '/v1/events?types=scan.completed,scan.failed&order=desc' }],
    expect: ([answer], own) => {
      expect(answer?.status).toBe(200);
      const jobIds = answer?.body.data.map(({ data }: { data: { job_id: string } }) => data.job_id);
      expect(jobIds).toContain(own.jobId);
    },
  },
  listEventTypes: {
    sharedBecause: 'one catalogue of events for all workspaces',
    asks: () => [{ path: '/v1/event_types' }],
  },
  enrichStores: {
    asks: (own, other) =>
      [
        { body: { domains: [own.domain, other.domain] } },
        // The same bytes that the other workspace sent when its response was stored under this Idempotency-Key.
        { body: bodyOf(other.domain), headers: { 'idempotency-key': other.idempotencyKey } },
        { body: bodyOf(other.unknownDomain) },
      ].map((ask) => ({ path: '/v1/stores/enrich', ...ask })),
    expect: (answers) => {
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers.map(({ headers }) => headers.has('idempotent-replayed'))).toEqual([false, false, false]);
      expect(answers[2]?.body).toMatchObject({ billed: { lookup_live: 1 }, results: [{ scan_requested: true }] });
    },
  },
  requestScan: {
    asks: (own, other) =>
      [own.domain, other.domain, other.unknownDomain].map((domain) => ({ path: `/v1/stores/${domain}/scans` })),
    expect: (answers) => {
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    },
  },
  listJobs: {
    asks: (own, other) => [
      ...['', '?limit=1', '?type=scan', '?type=enrich', '?type=replay'].map((query) => ({ path: `/v1/jobs${query}` })),
      { path: `/v1/jobs?ids=${[other.jobId, own.bulkJobId, other.bulkJobId, own.jobId].join()}` },
      { path: `/v1/jobs?ids=${[other.replayId, own.replayId].join()}` },
    ],
    expect: (answers, own) => {
      const ids = answers.map(({ body }) => body.data.map(({ id }: { id: string }) => id));
      expect(ids[0]).toEqual(expect.arrayContaining([own.jobId, own.bulkJobId, own.replayId]));
      expect(ids[4]).toContain(own.replayId);
      expect(ids.slice(5)).toEqual([[own.bulkJobId, own.jobId], [own.replayId]]);
    },
  },
  getJob: jobRow('', 200),
  getJobResults: jobRow('/results', 200),
  // None of these jobs is an export.
  getJobPart: {
    asks: (own, other) => [own, other].map(({ bulkJobId }) => ({ path: `/v1/jobs/${bulkJobId}/parts/1` })),
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404, 404]),
  },
  exportStores: {
    // The list of another workspace is not found.
    asks: (_, other) => [
      { path: '/v1/stores/export', body: { where: { list: { any: [other.listId] } }, max_rows: 10 } },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404]),
  },
  cancelJob: jobRow('/cancel', 200),
  listLists: {
    asks: () => [{ path: '/v1/lists' }, { path: '/v1/lists?limit=1' }],
    expect: ([answer], own) => {
      expect(answer?.body.data.map(({ id }: { id: string }) => id)).toContain(own.listId);
    },
  },
  createList: {
    // Every other variant of the request exceeds the quota of the plan or creates a list of the caller's workspace.
    asks: (own, other) => [
      {
        path: '/v1/lists',
        body: { name: `Second list of ${own.name}` },
        headers: { 'idempotency-key': other.idempotencyKey },
      },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([201]),
  },
  getList: listRow('', 200),
  updateList: listRow('', 200, { body: { name: 'Renamed list' } }),
  addListStores: listRow('/stores', 200, { body: { domains: ['added.example'] } }),
  listListStores: listRow('/stores', 200),
  removeListStores: listRow('/stores/remove', 200, { body: { domains: ['absent.example'] } }),
  removeListStore: {
    asks: (own, other) => [own, other].map(({ listId }) => ({ path: `/v1/lists/${listId}/stores/${other.domain}` })),
    // The caller's list does not have the store, and the list of the other workspace, which has it, is not found.
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404, 404]),
  },
  enrichList: {
    asks: (own, other) => [
      { path: `/v1/lists/${own.listId}/enrich`, body: { dry_run: true } },
      ...[{ dry_run: true }, {}].map((body) => ({ path: `/v1/lists/${other.listId}/enrich`, body })),
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]),
  },
  deleteList: {
    asks: (_, other) => [{ path: `/v1/lists/${other.listId}` }],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404]),
  },
  listWatchlists: {
    asks: () => [{ path: '/v1/watchlists' }, { path: '/v1/watchlists?limit=1' }],
    expect: ([answer], own) => {
      expect(answer?.body.data.map(({ id }: { id: string }) => id)).toContain(own.watchlistId);
    },
  },
  createWatchlist: {
    asks: (own, other) => [
      {
        path: '/v1/watchlists',
        body: { name: `Second watchlist of ${own.name}` },
        headers: { 'idempotency-key': other.idempotencyKey },
      },
    ],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([201]),
  },
  getWatchlist: watchlistRow('', 200),
  updateWatchlist: watchlistRow('', 200, { body: { name: 'Renamed watchlist', state: 'paused' } }),
  addWatchlistStores: watchlistRow('/stores', 200, { body: { domains: ['added.example'] } }),
  listWatchlistStores: watchlistRow('/stores', 200),
  removeWatchlistStores: watchlistRow('/stores/remove', 200, { body: { domains: ['absent.example'] } }),
  removeWatchlistStore: {
    asks: (own, other) =>
      [own, other].map(({ watchlistId }) => ({ path: `/v1/watchlists/${watchlistId}/stores/${other.domain}` })),
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404, 404]),
  },
  deleteWatchlist: {
    asks: (_, other) => [{ path: `/v1/watchlists/${other.watchlistId}` }],
    expect: (answers) => expect(answers.map(({ status }) => status)).toEqual([404]),
  },
  getAccount: {
    asks: () => [{ path: '/v1/account' }],
    expect: ([answer], own) => {
      expect(answer?.body.workspace).toEqual({ id: own.workspaceId, name: `Workspace of ${own.name}` });
      expect(answer?.body.key.id).toBe(own.keyId);
      expect(answer?.body.plan.slug).toBe(own.planSlug);
      expect(answer?.body.period.included.lookup_cached).toBe(own.limits.lookupCached);
    },
  },
  getUsage: {
    asks: () => [{ path: '/v1/usage' }],
    expect: ([answer], own) => {
      const labels = answer?.body.by_key.map((row: { label: string }) => row.label);
      expect(labels.every((label: string) => label.endsWith(`key-of-${own.name}`))).toBe(true);
    },
  },
  graphql: {
    // One corpus for all workspaces. Lists and jobs belong to a workspace, and a cursor of jobs, too.
    asks: (own, other) =>
      [
        { query: `{ store(domain: "${own.domain}") { match } usage { by_key { label } } account { key { id } } }` },
        {
          query:
            'query ($a: ID!, $b: ID!, $c: ID!) { a: job(id: $a) { id } b: job(id: $b) { id } c: job(id: $c) { id } }',
          variables: { a: own.jobId, b: other.jobId, c: other.bulkJobId },
        },
        { query: `{ signals(first: 1, list_id: "${own.listId}") { pageInfo { endCursor } } }` },
        { query: `{ signals(first: 1, list_id: "${other.listId}") { pageInfo { endCursor } } }` },
        { query: '{ jobs(first: 50) { edges { node { id } } } }' },
      ].map((body) => ({ path: '/v1/graphql', body })),
    expect: (answers, own) => {
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200]);
      expect(answers[0]?.body.data.account.key.id).toBe(own.keyId);
      expect(answers[1]?.body.data).toEqual({ a: { id: own.jobId }, b: null, c: null });
      const ids = answers[4]?.body.data.jobs.edges.map(({ node }: { node: { id: string } }) => node.id);
      expect(ids).toContain(own.jobId);
    },
  },
  getGraphqlSchema: {
    sharedBecause: 'one schema for all workspaces',
    asks: () => [{ path: '/v1/graphql/schema' }],
  },
  ...webhookRows,
  resetTestTenant: testRow('reset', {}),
  appendTestEvent: testRow('events', { type: 'scan.completed' }),
  setTestAllowance: testRow('allowance', { lookup_live: 3 }),
};

interface Operation {
  operationId: string;
  'x-served': boolean;
}
const documentPath = join(import.meta.dirname, '../../../../../docs/openapi.json');
const { paths } = JSON.parse(readFileSync(documentPath, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    id: operation.operationId,
    served: operation['x-served'],
  })),
);
const served = operations.filter((operation) => operation.served);

describe('the public API with two workspaces', () => {
  let env: DevEnv;
  let a: Tenant;
  let b: Tenant;

  beforeAll(async () => {
    env = await startDevEnv({ label: 'isolation', search: true });
    const [one, two] = env.demoStores.domains.map(({ domain }) => domain) as [string, string];
    a = await createTenant(env, {
      name: 'alpha',
      limits: { rpm: 7_919, lookupCached: 700_000 },
      domain: one,
      lookUps: 5,
    });
    b = await createTenant(env, {
      name: 'beta',
      limits: { rpm: 6_007, lookupCached: 300_000 },
      domain: two,
      lookUps: 2,
    });
  });
  afterAll(() => env?.stop());

  /** Asserts that a response has no data of `other`, and that its header limits and allowance are those of `own`. */
  const expectOwn = (answer: Answer, own: Tenant, other: Tenant, ask: Ask) => {
    expect(tracesIn(answer, other, ask), `${own.name} asked ${ask.path}`).toEqual([]);
    const limit = answer.headers.get('x-ratelimit-limit');
    if (limit !== null) expect(Number(limit)).toBe(own.limits.rpm);
    const remaining = answer.headers.get('x-usage-remaining');
    if (remaining === null) return;
    expect(Number(remaining)).toBeLessThanOrEqual(own.limits.lookupCached);
    expect(Number(remaining)).toBeGreaterThan(own.limits.lookupCached - 1_000);
  };

  /** Returns the unchanged request, and variants with headers that name the other workspace. */
  const waysOf = (ask: Ask, other: Tenant): Ask[] => [
    ask,
    { ...ask, headers: { ...ask.headers, 'x-request-id': other.requestId } },
    {
      ...ask,
      headers: { ...ask.headers, 'x-workspace-id': other.workspaceId, 'x-key-id': other.keyId, cookie: other.keyId },
    },
    { ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}workspace_id=${other.workspaceId}` },
    { ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}key_id=${other.keyId}` },
  ];

  it('the isolation table has a row for every served operation, and an operation for every row', () => {
    expect(Object.keys(rows).sort()).toEqual(served.map(({ id }) => id).sort());
  });

  /** What the other workspace had at the preceding comparison, unless it has sent requests since. */
  let before: unknown;
  /** `.ci/nightly` compares after each operation, so that a finding names it. Otherwise one comparison covers several operations. */
  const isCompared = (id: string) => {
    const at = served.findIndex((operation) => operation.id === id);
    return process.env.SHOPSCOPE_NIGHTLY === 'true' || at % 8 === 7 || at === served.length - 1;
  };
  it.each(served)('$id returns no data of the other workspace', async ({ id, method }) => {
    const row = rows[id] as Row;
    if (before === undefined) {
      await env.settle();
      before = await everythingOf(env, a);
    }
    const plain: Answer[] = [];
    for (const ask of row.asks(b, a)) {
      for (const way of waysOf(ask, a)) {
        const answer = await b.asker.send({ method, ...way }, row.isOfTestKeys && b.testSecret);
        expectOwn(answer, b, a, way);
        if (way === ask) plain.push(answer);
        else expect([answer.status, way]).toEqual([way.path === ask.path ? plain.at(-1)?.status : 400, way]);
      }
    }
    row.expect?.(plain, b, a);
    if (!row.sharedBecause && !isCompared(id)) return;
    await env.settle();
    const [after, expected] = [await everythingOf(env, a), before];
    before = row.sharedBecause ? undefined : after;
    expect(after).toEqual(expected);
    if (!row.sharedBecause) return;
    for (const [n, ask] of row.asks(b, a).entries())
      expect((await a.asker.send({ method, ...ask })).text).toBe(plain[n]?.text);
  });

  it('operations that are not served yet return 501, also for ids of the other workspace', async () => {
    for (const { path, method, served } of operations) {
      if (served) continue;
      const named = path
        .replace('{domain}', a.domain)
        .replace('{job_id}', a.jobId)
        .replace(/\{\w+\}/g, a.workspaceId);
      for (const way of waysOf({ path: named, ...(method === 'POST' && { body: {} }) }, a)) {
        const answer = await b.asker.send({ method, ...way });
        expect([answer.status, way.path]).toEqual([501, way.path]);
        expectOwn(answer, b, a, way);
      }
    }
  });

  it('a cursor of the other workspace returns the same page as a cursor of the caller’s workspace', async () => {
    const path = '/v1/technologies?limit=2';
    const given = (await a.asker.send({ path })).body.next_cursor;
    const own = (await b.asker.send({ path })).body.next_cursor;
    const pages = [given, own].map((cursor) => b.asker.send({ path: `${path}&cursor=${cursor}` }));
    const [theirs, ours] = await Promise.all(pages);
    expect(theirs?.status).toBe(200);
    expect(theirs?.text).toBe(ours?.text);
  });

  it('the public API returns its own data to each workspace under simultaneous requests', async () => {
    const asks: Ask[] = [
      { path: '/v1/account' },
      { path: '/v1/usage' },
      { path: `/v1/stores/${a.domain}` },
      { path: '/v1/stores/enrich', body: { domains: [a.domain, b.domain] } },
    ];
    for (let round = 0; round < 5; round++) {
      const pairs = [a, b, b, a].flatMap((own) => asks.map((ask) => ({ own, ask })));
      const answers = await Promise.all(pairs.map(({ own, ask }) => own.asker.send(ask)));
      for (const [n, answer] of answers.entries()) {
        const { own, ask } = pairs[n] as (typeof pairs)[number];
        expect([answer.status, ask.path]).toEqual([200, ask.path]);
        expectOwn(answer, own, own === a ? b : a, ask);
      }
    }
  });

  it('the public API bills each workspace exactly the units of its own responses', async () => {
    await env.settle();
    for (const tenant of [a, b]) {
      const usage = (await tenant.asker.send({ path: '/v1/usage' })).body.period.used;
      expect(usage).toMatchObject(tenant.asker.billed);
    }
  });
});
