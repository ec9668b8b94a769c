import { hostDocumentOf, type PublicUrls, serviceIndexOf } from '../../../contract/documents.ts';
import { buildOpenapi } from '../../../contract/openapi.ts';
import type { Operations } from '../../../operations/create-operations.ts';
import { enrichStores } from './enrich-stores.ts';
import { getAccount } from './get-account.ts';
import { getHealth } from './get-health.ts';
import { getStore } from './get-store.ts';
import { getUsage } from './get-usage.ts';
import type { Routes } from './index.ts';
import { listTechnologies } from './list-technologies.ts';
import { staticDocument } from './static-document.ts';

/** Every served operation with its route. */
export function createRoutes(options: { urls: PublicUrls; isDegraded: () => boolean; operations: Operations }): Routes {
  const { urls, operations } = options;
  return {
    getHost: staticDocument(hostDocumentOf(urls)),
    getIndex: staticDocument(serviceIndexOf(urls)),
    getHealth: getHealth(options.isDegraded),
    getOpenapi: staticDocument(buildOpenapi({ apiUrl: urls.api })),
    enrichStores: enrichStores(operations.enrichStores, operations.runOnce),
    getStore: getStore(operations.lookUpStore),
    getAccount: getAccount(operations.describeAccount),
    getUsage: getUsage(operations.reportUsage),
    listTechnologies: listTechnologies(operations.listTechnologies),
  };
}
