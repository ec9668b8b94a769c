import type { components } from './api.gen.ts';
import { createGraphqlOperations, type GraphqlOperations } from './graphql-operations.ts';
import type { Paged } from './pages.ts';
import { createRequests, type ListQuery, segmentOf } from './requests.ts';
import type { CallOptions, PostOptions, Send } from './send.ts';
import { createTestTenantOperations, type TestTenantOperations } from './test-tenant-operations.ts';
import type { Job } from './wait-for-job.ts';
import { createWebhookOperations, type WebhookOperations } from './webhook-operations.ts';

type Schemas = components['schemas'];

/**
 * The operations of the API, under the names of openapi.json.
 *
 * - Methods throw ApiError, ConnectionError, TimeoutError, or the reason of an aborted `signal`.
 * - Failed attempts are repeated where the service carries a request out once: GET, PATCH, DELETE, and POST with its Idempotency-Key.
 * - Requests wait when the minute of the key's rate limit is spent.
 */
export interface Operations extends WebhookOperations, GraphqlOperations, TestTenantOperations {
  /** One profile. Costs one lookup_cached; an unknown domain throws ApiError `not_found`, free. */
  getStore(domain: string, options?: CallOptions): Promise<Schemas['StoreResponse']>;
  /** Like getStore, if the profile has another ETag. Otherwise it resolves to null and is free. */
  getStoreIfChanged(domain: string, etag: string, options?: CallOptions): Promise<Schemas['StoreResponse'] | null>;
  /** Many profiles, at most plan.limits.enrich_batch_max. One lookup_cached per known store, one lookup_live per queued scan. */
  enrichStores(request: EnrichStoresRequest, options?: PostOptions): Promise<Schemas['EnrichResponse']>;
  /**
   * One page of the stores that match. One lookup_cached per row; with `dropped` or `moved`, one history_query per page
   * with at least one row. `client.search` walks all pages.
   */
  searchStores(request?: StoreSearchRequest, options?: PostOptions): Promise<Schemas['StorePage']>;
  /** Like searchStores, in the flat form, which has one clause of each kind. */
  listStores(query?: ListQuery<'listStores'>, options?: CallOptions): Paged<Schemas['StorePage']>;
  /** How many stores match, and what their rows would bill. One history_query with `dropped` or `moved`, otherwise free. */
  countStores(request?: StoreCountRequest, options?: PostOptions): Promise<Schemas['StoreCount']>;
  /**
   * Starts a job that writes all matching stores into parts. It bills as searchStores does, one history_query per 1,000
   * rows. `client.export` yields its rows.
   */
  exportStores(request?: StoreExportRequest, options?: PostOptions): Promise<Job>;
  /** Confirmed changes of a store, newest first, and retracted ones on request. One history_query per page with at least one row. */
  getStoreHistory(
    domain: string,
    query?: ListQuery<'getStoreHistory'>,
    options?: CallOptions,
  ): Paged<Schemas['History']>;
  /**
   * Confirmed changes of all stores, newest first, and retracted ones on request. One history_query per page with at
   * least one row. With `order: 'asc'` the list ends with the latest change; `next_cursor` of its last page continues
   * it later.
   */
  searchSignals(query?: ListQuery<'searchSignals'>, options?: CallOptions): Paged<Schemas['SignalPage']>;
  /** The events of the workspace, in the order of their sequence. Free. `client.events` continues at a stored cursor and follows. */
  listEvents(query?: ListQuery<'listEvents'>, options?: CallOptions): Paged<Schemas['EventPage']>;
  /** The types of the workspace's events, each with its schema and an example. Free. */
  listEventTypes(options?: CallOptions): Paged<Schemas['EventTypePage']>;
  /** Asks for a scan of a store. Costs one refresh_requested, unless the workspace's own scan of it is under way. */
  requestScan(domain: string, options?: PostOptions): Promise<Job>;
  listJobs(query?: ListQuery<'listJobs'>, options?: CallOptions): Paged<Schemas['JobPage']>;
  getJob(jobId: string, options?: CallOptions): Promise<Job>;
  /** Until the job has ended, results can be missing: read them again from the start when the job has ended. */
  getJobResults(jobId: string, query?: ListQuery<'getJobResults'>, options?: CallOptions): Paged<Schemas['JobResults']>;
  /** The text of a part of an export, for 30 days. Free. `client.exportParts` compares it with its sha256. */
  getJobPart(jobId: string, part: number, options?: CallOptions): Promise<string>;
  /**
   * A queued scan returns its unit. A running scan and the finished part of an enrichment stay billed. A job that has
   * ended does not change.
   */
  cancelJob(jobId: string, options?: PostOptions): Promise<Job>;
  /** Creates an empty list of stores. Free, as every operation of lists except enrichList. */
  createList(list: Schemas['ListCreate'], options?: PostOptions): Promise<Schemas['List']>;
  listLists(query?: ListQuery<'listLists'>, options?: CallOptions): Paged<Schemas['ListPage']>;
  getList(listId: string, options?: CallOptions): Promise<Schemas['List']>;
  updateList(listId: string, changes: Schemas['ListUpdate'], options?: CallOptions): Promise<Schemas['List']>;
  /** Its unfinished jobs are canceled. Their results stay for 30 days. */
  deleteList(listId: string, options?: CallOptions): Promise<void>;
  /** Adds at most 2,000 stores, all or none. */
  addListStores(listId: string, stores: Schemas['StoresAdd'], options?: PostOptions): Promise<Schemas['StoresAdded']>;
  listListStores(
    listId: string,
    query?: ListQuery<'listListStores'>,
    options?: CallOptions,
  ): Paged<Schemas['MemberStorePage']>;
  /** Removes at most 2,000 stores. */
  removeListStores(
    listId: string,
    stores: Schemas['StoresRemove'],
    options?: PostOptions,
  ): Promise<Schemas['StoresRemoved']>;
  removeListStore(listId: string, domain: string, options?: CallOptions): Promise<void>;
  /** Starts a job that enriches every store of a list. It bills as enrichStores does. waitForJob and getJobResults follow it. */
  enrichList(listId: string, request?: ListEnrichRequest, options?: PostOptions): Promise<Job>;
  /** What enrichList would bill. Free. */
  quoteListEnrich(
    listId: string,
    request?: Pick<ListEnrichRequest, 'refresh'>,
    options?: PostOptions,
  ): Promise<Schemas['ListEnrichQuote']>;
  /**
   * Creates a watchlist without stores. The workspace receives the confirmed signals of the stores that are added later. Free, as every
   * operation of watchlists; each scheduled rescan costs one refresh_requested. `rescan_interval_days` needs the scope write:scans.
   */
  createWatchlist(watchlist: Schemas['WatchlistCreate'], options?: PostOptions): Promise<Schemas['Watchlist']>;
  listWatchlists(query?: ListQuery<'listWatchlists'>, options?: CallOptions): Paged<Schemas['WatchlistPage']>;
  getWatchlist(watchlistId: string, options?: CallOptions): Promise<Schemas['Watchlist']>;
  /** Replaces the members of `changes`, which may include the state. */
  updateWatchlist(
    watchlistId: string,
    changes: Schemas['WatchlistUpdate'],
    options?: CallOptions,
  ): Promise<Schemas['Watchlist']>;
  deleteWatchlist(watchlistId: string, options?: CallOptions): Promise<void>;
  /** Adds at most 2,000 stores, all or none. */
  addWatchlistStores(
    watchlistId: string,
    stores: Schemas['StoresAdd'],
    options?: PostOptions,
  ): Promise<Schemas['StoresAdded']>;
  listWatchlistStores(
    watchlistId: string,
    query?: ListQuery<'listWatchlistStores'>,
    options?: CallOptions,
  ): Paged<Schemas['MemberStorePage']>;
  /** Removes at most 2,000 stores. */
  removeWatchlistStores(
    watchlistId: string,
    stores: Schemas['StoresRemove'],
    options?: PostOptions,
  ): Promise<Schemas['StoresRemoved']>;
  removeWatchlistStore(watchlistId: string, domain: string, options?: CallOptions): Promise<void>;
  listTechnologies(query?: ListQuery<'listTechnologies'>, options?: CallOptions): Paged<Schemas['TechnologyPage']>;
  /** One entry of the vocabulary, by its slug or an earlier one. Free. */
  getTechnology(slug: string, options?: CallOptions): Promise<Schemas['TechnologyDetails']>;
  getAccount(options?: CallOptions): Promise<Schemas['Account']>;
  getUsage(options?: CallOptions): Promise<Schemas['Usage']>;
  getHost(options?: CallOptions): Promise<Schemas['HostDocument']>;
  getIndex(options?: CallOptions): Promise<Schemas['ServiceIndex']>;
  getHealth(options?: CallOptions): Promise<Schemas['Health']>;
  getOpenapi(options?: CallOptions): Promise<Schemas['OpenapiDocument']>;
}

export interface EnrichStoresRequest {
  /** Host names or URLs. */
  domains: readonly string[];
  /** Whether to ask for scans of unknown and stale domains. Needs the scope write:scans. */
  refresh?: boolean | undefined;
}

/** Which stores. The members are ANDed, and an empty object matches every active store. */
export type StoreWhere = Schemas['StoreWhere'];
export type StoreSearchRequest = Optional<Schemas['StoreSearchRequest']>;
export type StoreExportRequest = Optional<Schemas['StoreExportRequest']>;
export type StoreCountRequest = Optional<Schemas['StoreCountRequest']>;
/** The service has a default for each member. */
type Optional<Body> = { [Name in keyof Body]?: Body[Name] | undefined };

export interface ListEnrichRequest {
  /** Whether to ask for scans of unknown and stale stores. Needs the scope write:scans. */
  refresh?: boolean | undefined;
  /** The maximum number of units that the job may bill, of all kinds together. A job with a larger quote is refused. */
  max_units?: number | undefined;
}

export function createOperations(send: Send): Operations {
  const requests = createRequests(send);
  const { get, post, patch, remove, list } = requests;
  const storePath = (domain: string) => `/v1/stores/${segmentOf(domain)}`;
  const jobPath = (jobId: string) => `/v1/jobs/${segmentOf(jobId)}`;
  const listPath = (listId: string) => `/v1/lists/${segmentOf(listId)}`;
  const watchlistPath = (watchlistId: string) => `/v1/watchlists/${segmentOf(watchlistId)}`;

  return {
    ...createWebhookOperations(requests),
    ...createGraphqlOperations(requests),
    ...createTestTenantOperations(requests),
    getStore: async (domain, options) => get(storePath(domain), options),
    async getStoreIfChanged(domain, etag, options) {
      const request = { method: 'GET', path: storePath(domain), headers: { 'If-None-Match': etag } } as const;
      return (await send<Schemas['StoreResponse'] | undefined>(request, options)) ?? null;
    },
    enrichStores: (request, options) => post('/v1/stores/enrich', request, options),
    searchStores: async (request = {}, options) => post('/v1/stores/search', request, options),
    listStores: (query, options) => list(() => '/v1/stores', query, options),
    exportStores: async (request = {}, options) => post('/v1/stores/export', request, options),
    countStores: async (request = {}, options) => post('/v1/stores/count', request, options),
    getStoreHistory: (domain, query, options) => list(() => `${storePath(domain)}/history`, query, options),
    searchSignals: (query, options) => list(() => '/v1/signals', query, options),
    listEvents: (query, options) => list(() => '/v1/events', query, options, 'after'),
    listEventTypes: (options) => list(() => '/v1/event_types', undefined, options),
    requestScan: async (domain, options) => post(`${storePath(domain)}/scans`, undefined, options),
    listJobs: (query, options) => list(() => '/v1/jobs', query, options),
    getJob: async (jobId, options) => get(jobPath(jobId), options),
    getJobResults: (jobId, query, options) => list(() => `${jobPath(jobId)}/results`, query, options),
    getJobPart: async (jobId, part, options) => get(`${jobPath(jobId)}/parts/${part}`, options),
    cancelJob: async (jobId, options) => post(`${jobPath(jobId)}/cancel`, undefined, options),
    createList: (body, options) => post('/v1/lists', body, options),
    listLists: (query, options) => list(() => '/v1/lists', query, options),
    getList: async (listId, options) => get(listPath(listId), options),
    updateList: async (listId, body, options) => patch(listPath(listId), body, options),
    deleteList: async (listId, options) => remove(listPath(listId), options),
    addListStores: async (listId, body, options) => post(`${listPath(listId)}/stores`, body, options),
    listListStores: (listId, query, options) => list(() => `${listPath(listId)}/stores`, query, options),
    removeListStores: async (listId, body, options) => post(`${listPath(listId)}/stores/remove`, body, options),
    removeListStore: async (listId, domain, options) =>
      remove(`${listPath(listId)}/stores/${segmentOf(domain)}`, options),
    enrichList: async (listId, request = {}, options) => post(`${listPath(listId)}/enrich`, request, options),
    quoteListEnrich: async (listId, request = {}, options) =>
      post(`${listPath(listId)}/enrich`, { ...request, dry_run: true }, options),
    createWatchlist: (body, options) => post('/v1/watchlists', body, options),
    listWatchlists: (query, options) => list(() => '/v1/watchlists', query, options),
    getWatchlist: async (watchlistId, options) => get(watchlistPath(watchlistId), options),
    updateWatchlist: async (watchlistId, body, options) => patch(watchlistPath(watchlistId), body, options),
    deleteWatchlist: async (watchlistId, options) => remove(watchlistPath(watchlistId), options),
    addWatchlistStores: async (watchlistId, body, options) =>
      post(`${watchlistPath(watchlistId)}/stores`, body, options),
    listWatchlistStores: (watchlistId, query, options) =>
      list(() => `${watchlistPath(watchlistId)}/stores`, query, options),
    removeWatchlistStores: async (watchlistId, body, options) =>
      post(`${watchlistPath(watchlistId)}/stores/remove`, body, options),
    removeWatchlistStore: async (watchlistId, domain, options) =>
      remove(`${watchlistPath(watchlistId)}/stores/${segmentOf(domain)}`, options),
    listTechnologies: (query, options) => list(() => '/v1/technologies', query, options),
    getTechnology: async (slug, options) => get(`/v1/technologies/${segmentOf(slug)}`, options),
    getAccount: (options) => get('/v1/account', options),
    getUsage: (options) => get('/v1/usage', options),
    getHost: (options) => get('/', options),
    getIndex: (options) => get('/v1', options),
    getHealth: (options) => get('/v1/health', options),
    getOpenapi: (options) => get('/v1/openapi.json', options),
  };
}
