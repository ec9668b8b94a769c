import { expect } from 'vitest';
import type { Ask } from './asker.ts';
import type { HttpRow as Row } from './http-row.ts';
import { bodyOf } from './tenant.ts';
import { webhookRows } from './webhook-http-rows.ts';

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

/** A row for every served operation. */
export const httpRows: Record<string, Row> = {
  getHost: discovery('/'),
  getIndex: discovery('/v1'),
  getHealth: discovery('/v1/health'),
  getOpenapi: discovery('/v1/openapi.json'),
  listTechnologies: {
    sharedBecause: 'one vocabulary for all workspaces; a cursor holds a position and a query, and no workspace',
    asks: () => [{ path: '/v1/technologies?limit=2' }, { path: '/v1/technologies?kind=app&limit=1' }],
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
