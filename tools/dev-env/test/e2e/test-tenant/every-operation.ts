import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ask } from '../isolation/asker.ts';
import { lastHour } from '../isolation/tenant-webhook.ts';

/** What the requests before a row have created. */
export interface Made {
  jobId: string;
  listId: string;
  bulkJobId: string;
  exportId: string;
  watchlistId: string;
  webhookId: string;
  deliveryId: string;
}

interface Row {
  ask(made: Made): Ask;
  status: number;
  /** The member of {@link Made} that is the id in the response. */
  makes?: keyof Made;
}

const get = (path: string, status = 200): Row => ({ ask: () => ({ path }), status });
const on = (path: (made: Made) => string, status = 200, body?: object, method?: string): Row => ({
  ask: (made) => ({ path: path(made), ...(body && { body }), ...(method && { method }) }),
  status,
});
const creation = (path: string, body: object, makes: keyof Made, status = 201): Row => ({
  ask: () => ({ path, body }),
  status,
  makes,
});

const store = '/v1/stores/store-0001.test';
const list = ({ listId }: Made) => `/v1/lists/${listId}`;
const watchlist = ({ watchlistId }: Made) => `/v1/watchlists/${watchlistId}`;
const webhook = ({ webhookId }: Made) => `/v1/webhooks/${webhookId}`;
const job = ({ bulkJobId }: Made) => `/v1/jobs/${bulkJobId}`;
const delivery = ({ deliveryId }: Made) => `/v1/deliveries/${deliveryId}`;

/** A request of every operation, in an order in which each finds what it needs. */
export const rows: Record<string, Row> = {
  getHost: get('/'),
  getIndex: get('/v1'),
  getHealth: get('/v1/health'),
  getOpenapi: get('/v1/openapi.json'),
  getAccount: get('/v1/account'),
  listTechnologies: get('/v1/technologies?limit=1'),
  getTechnology: get('/v1/technologies/shopify'),
  enrichStores: {
    ask: () => ({
      path: '/v1/stores/enrich',
      body: { domains: ['matched.test', 'stale.test', 'unknown.test', 'allbirds.com'], refresh: true },
      headers: { 'idempotency-key': 'every-operation' },
    }),
    status: 200,
  },
  getStore: get(store),
  listStores: get('/v1/stores?technology_any=klaviyo&limit=2'),
  searchStores: on(() => '/v1/stores/search', 200, { where: { technologies: [{ any: ['klaviyo'] }] }, limit: 2 }),
  countStores: on(() => '/v1/stores/count', 200, { facets: ['country'] }),
  getStoreHistory: get(`${store}/history`),
  searchSignals: get('/v1/signals?limit=1'),
  requestScan: creation('/v1/stores/changes.test/scans', {}, 'jobId', 202),
  listJobs: get('/v1/jobs'),
  getJob: on(({ jobId }) => `/v1/jobs/${jobId}`),
  createList: creation('/v1/lists', { name: 'Stores' }, 'listId'),
  listLists: get('/v1/lists'),
  getList: on(list),
  updateList: on(list, 200, { name: 'My stores' }, 'PATCH'),
  addListStores: on((made) => `${list(made)}/stores`, 200, { domains: ['matched.test', 'allbirds.com', 'busy.test'] }),
  listListStores: on((made) => `${list(made)}/stores`),
  enrichList: {
    ask: (made) => ({ path: `${list(made)}/enrich`, body: { refresh: true } }),
    status: 202,
    makes: 'bulkJobId',
  },
  getJobResults: on((made) => `${job(made)}/results`),
  cancelJob: on((made) => `${job(made)}/cancel`, 200, {}),
  exportStores: creation('/v1/stores/export', { format: 'csv', max_units: { lookup_cached: 1_000 } }, 'exportId', 202),
  // The job has not written a part yet, or has.
  getJobPart: on(({ exportId }) => `/v1/jobs/${exportId}/parts/100000`, 404),
  removeListStores: on((made) => `${list(made)}/stores/remove`, 200, { domains: ['busy.test'] }),
  removeListStore: on((made) => `${list(made)}/stores/matched.test`, 204, undefined, 'DELETE'),
  createWatchlist: creation('/v1/watchlists', { name: 'Watched', rescan_interval_days: 30 }, 'watchlistId'),
  listWatchlists: get('/v1/watchlists'),
  getWatchlist: on(watchlist),
  updateWatchlist: on(watchlist, 200, { name: 'Watched stores' }, 'PATCH'),
  addWatchlistStores: on((made) => `${watchlist(made)}/stores`, 200, { domains: ['stale.test', 'allbirds.com'] }),
  listWatchlistStores: on((made) => `${watchlist(made)}/stores`),
  removeWatchlistStores: on((made) => `${watchlist(made)}/stores/remove`, 200, { domains: ['absent.test'] }),
  removeWatchlistStore: on((made) => `${watchlist(made)}/stores/stale.test`, 204, undefined, 'DELETE'),
  createWebhook: creation(
    '/v1/webhooks',
    { url: 'http://127.0.0.1:1/hook', event_types: ['signal.confirmed'] },
    'webhookId',
  ),
  listWebhooks: get('/v1/webhooks'),
  getWebhook: on(webhook),
  testWebhook: on((made) => `${webhook(made)}/test`, 200, {}),
  rotateWebhookSecret: on((made) => `${webhook(made)}/rotate_secret`, 200, {}),
  appendTestEvent: on(() => '/v1/test/events', 200, { type: 'signal.confirmed' }),
  listEvents: get('/v1/events'),
  listEventTypes: get('/v1/event_types'),
  listWebhookDeliveries: on((made) => `${webhook(made)}/deliveries`),
  listDeliveries: get('/v1/deliveries'),
  getDelivery: on(delivery),
  retryDelivery: on((made) => `${delivery(made)}/retry`, 202, {}),
  replayWebhook: {
    ask: (made) => ({ path: `${webhook(made)}/replay`, body: { ...lastHour(), only: 'all' } }),
    status: 202,
  },
  updateWebhook: on(webhook, 200, { description: 'Mine' }, 'PATCH'),
  setTestAllowance: on(() => '/v1/test/allowance', 200, { history_query: 1 }),
  graphql: on(() => '/v1/graphql', 200, {
    query:
      '{ stores(domains: ["matched.test", "allbirds.com"]) { match } history(domain: "changes.test", first: 1) { edges { cursor } } }',
  }),
  getGraphqlSchema: get('/v1/graphql/schema'),
  getUsage: get('/v1/usage'),
  deleteList: on(list, 204, undefined, 'DELETE'),
  deleteWatchlist: on(watchlist, 204, undefined, 'DELETE'),
  deleteWebhook: on(webhook, 204, undefined, 'DELETE'),
  resetTestTenant: on(() => '/v1/test/reset', 200, {}),
};

const documentPath = join(import.meta.dirname, '../../../../../docs/openapi.json');
const { paths } = JSON.parse(readFileSync(documentPath, 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; 'x-served': boolean }>>;
};
/** The served operations of the contract. */
export const servedOperations = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .flatMap((operation) => (operation['x-served'] ? [operation.operationId] : []));
