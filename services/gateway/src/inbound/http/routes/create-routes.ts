import { hostDocumentOf, type PublicUrls, serviceIndexOf } from '../../../contract/documents.ts';
import { buildOpenapi } from '../../../contract/openapi.ts';
import type { EnrichStores } from '../../../operations/enrich-stores.ts';
import type { GetAccount } from '../../../operations/get-account.ts';
import type { GetUsage } from '../../../operations/get-usage.ts';
import type { Jobs } from '../../../operations/jobs.ts';
import type { ListTechnologies } from '../../../operations/list-technologies.ts';
import type { LookUpStore } from '../../../operations/look-up-store.ts';
import type { GetStoreHistory, SearchSignals } from '../../../operations/query-signals.ts';
import type { RequestStoreScan } from '../../../operations/request-store-scan.ts';
import type { RunOnce } from '../../../operations/run-once.ts';
import { enrichStores } from './enrich-stores.ts';
import { getAccount } from './get-account.ts';
import { getHealth } from './get-health.ts';
import { beginGetStore, getStore } from './get-store.ts';
import { getUsage } from './get-usage.ts';
import type { Begins, Routes } from './index.ts';
import { cancelJob, getJob, getJobResults, listJobs } from './jobs.ts';
import { listTechnologies } from './list-technologies.ts';
import { beginGetStoreHistory, getStoreHistory, searchSignals } from './query-signals.ts';
import { requestScan } from './request-scan.ts';
import { staticDocument } from './static-document.ts';

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
