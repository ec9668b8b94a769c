import { buildOpenapi } from '../contract/openapi.ts';
import type { RunOnce } from '../idempotency/run-once.ts';
import type { GetAccount } from './account/get-account.ts';
import { getAccount } from './account/get-account-endpoint.ts';
import type { GetUsage } from './account/get-usage.ts';
import { getUsage } from './account/get-usage-endpoint.ts';
import { hostDocumentOf, type PublicUrls, serviceIndexOf } from './discovery/documents.ts';
import { getHealth } from './discovery/get-health.ts';
import { staticDocument } from './discovery/static-document.ts';
import { enrichStores } from './enrich-stores/endpoint.ts';
import type { EnrichStores } from './enrich-stores/enrich-stores.ts';
import { beginGetStore, getStore } from './get-store/endpoint.ts';
import type { LookUpStore } from './get-store/look-up-store.ts';
import { cancelJob, getJob, getJobResults, listJobs } from './jobs/endpoint.ts';
import type { Jobs } from './jobs/jobs.ts';
import { requestScan } from './request-scan/endpoint.ts';
import type { RequestStoreScan } from './request-scan/request-store-scan.ts';
import type { Begins, Routes } from './route.ts';
import { beginGetStoreHistory, getStoreHistory, searchSignals } from './signals/endpoint.ts';
import type { GetStoreHistory, SearchSignals } from './signals/query-signals.ts';
import { listTechnologies } from './technologies/endpoint.ts';
import type { ListTechnologies } from './technologies/list-technologies.ts';

export interface RoutesOptions {
  urls: PublicUrls;
  isDegraded: () => boolean;
  runOnce: RunOnce;
  enrichStores: EnrichStores;
  lookUpStore: LookUpStore;
  getAccount: GetAccount;
  getUsage: GetUsage;
  listTechnologies: ListTechnologies;
  requestStoreScan: RequestStoreScan;
  jobs: Jobs;
  getStoreHistory: GetStoreHistory;
  searchSignals: SearchSignals;
}

/** Creates the route of every served operation. */
export function createRoutes(options: RoutesOptions): Routes {
  const { urls } = options;
  return {
    getHost: staticDocument(hostDocumentOf(urls)),
    getIndex: staticDocument(serviceIndexOf(urls)),
    getHealth: getHealth(options.isDegraded),
    getOpenapi: staticDocument(buildOpenapi({ apiUrl: urls.api })),
    enrichStores: enrichStores(options.enrichStores, options.runOnce),
    getStore: getStore(options.lookUpStore),
    getAccount: getAccount(options.getAccount),
    getUsage: getUsage(options.getUsage),
    listTechnologies: listTechnologies(options.listTechnologies),
    requestScan: requestScan(options.requestStoreScan, options.runOnce),
    listJobs: listJobs(options.jobs),
    getJob: getJob(options.jobs),
    getJobResults: getJobResults(options.jobs),
    cancelJob: cancelJob(options.jobs, options.runOnce),
    getStoreHistory: getStoreHistory(options.getStoreHistory),
    searchSignals: searchSignals(options.searchSignals),
  };
}

export function createBegins(options: Pick<RoutesOptions, 'lookUpStore' | 'getStoreHistory'>): Begins {
  return {
    getStore: beginGetStore(options.lookUpStore),
    getStoreHistory: beginGetStoreHistory(options.getStoreHistory),
  };
}
