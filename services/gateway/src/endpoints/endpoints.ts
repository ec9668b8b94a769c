import type { Operation } from '../contract/operation.ts';
import { getAccount, getUsage } from './account/endpoint.ts';
import type { Endpoint } from './define-endpoint.ts';
import { getHealth, getHost, getIndex, getOpenapi } from './discovery/endpoint.ts';
import { enrichList } from './enrich-list/endpoint.ts';
import { enrichStores } from './enrich-stores/endpoint.ts';
import { listEvents, listEventTypes } from './events/endpoint.ts';
import { exportStores } from './export-stores/endpoint.ts';
import { countStores, listStores, searchStores } from './find-stores/endpoint.ts';
import { getStore } from './get-store/endpoint.ts';
import { getGraphqlSchema, graphql } from './graphql/endpoint.ts';
import { cancelJob, getJob, getJobResults, listJobs } from './jobs/endpoint.ts';
import { getJobPart } from './jobs/part-endpoint.ts';
import { createList, deleteList, getList, listLists, updateList } from './lists/endpoint.ts';
import { addListStores, listListStores, removeListStore, removeListStores } from './lists/stores-endpoint.ts';
import { requestScan } from './request-scan/endpoint.ts';
import { getStoreHistory, searchSignals } from './signals/endpoint.ts';
import { getTechnology, listTechnologies } from './technologies/endpoint.ts';
import { appendTestEvent, resetTestTenant, setTestAllowance } from './test-tenant/endpoint.ts';
import {
  addWatchlistStores,
  createWatchlist,
  deleteWatchlist,
  getWatchlist,
  listWatchlistStores,
  listWatchlists,
  removeWatchlistStore,
  removeWatchlistStores,
  updateWatchlist,
} from './watchlists/endpoint.ts';
import { getDelivery, listDeliveries, listWebhookDeliveries, retryDelivery } from './webhooks/deliveries-endpoint.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks/endpoint.ts';

/** The operations that this build serves, in the order of openapi.json. */
export const endpoints: readonly Endpoint[] = [
  getHost,
  getIndex,
  getHealth,
  getOpenapi,
  enrichStores,
  getStore,
  listStores,
  searchStores,
  countStores,
  exportStores,
  getAccount,
  getUsage,
  listTechnologies,
  getTechnology,
  requestScan,
  listJobs,
  getJob,
  getJobResults,
  getJobPart,
  cancelJob,
  getStoreHistory,
  searchSignals,
  listEvents,
  listEventTypes,
  createList,
  listLists,
  getList,
  updateList,
  deleteList,
  addListStores,
  listListStores,
  removeListStores,
  removeListStore,
  enrichList,
  createWatchlist,
  listWatchlists,
  getWatchlist,
  updateWatchlist,
  deleteWatchlist,
  addWatchlistStores,
  listWatchlistStores,
  removeWatchlistStores,
  removeWatchlistStore,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  replayWebhook,
  listWebhookDeliveries,
  listDeliveries,
  getDelivery,
  retryDelivery,
  resetTestTenant,
  appendTestEvent,
  setTestAllowance,
  graphql,
  getGraphqlSchema,
];

/** All operations, served and announced: the source of openapi.json, routing and the service index. */
export const operations: readonly Operation[] = endpoints;
