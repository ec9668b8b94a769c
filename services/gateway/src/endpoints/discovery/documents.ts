import type { z } from 'zod';
import { buildOpenapi } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';
import { type authentication, contractVersion, type hostDocument, type serviceIndex } from './contract.ts';
import { type StaticDocument, staticDocument } from './static-document.ts';

/** The URLs in the discovery documents of a deployment. They have no trailing slash. */
export interface PublicUrls {
  /** Base URL of this API, for example https://api.shopscope.example */
  api: string;
  /** Base URL of the website with the documentation and the management of keys. */
  site: string;
}

function authenticationOf({ site }: PublicUrls): z.output<typeof authentication> {
  return { header: 'Authorization', keys_url: `${site}/settings/api-keys`, scheme: 'bearer' };
}

/** Returns the service index. It lists only served operations. */
export function serviceIndexOf(operations: readonly Operation[], urls: PublicUrls): z.output<typeof serviceIndex> {
  const served = operations.filter((operation) => operation.served);
  return {
    authentication: authenticationOf(urls),
    documentation_url: `${urls.site}/docs`,
    endpoints: Object.fromEntries(served.map(({ id, path }) => [id, `${urls.api}${path}`])),
    openapi_url: `${urls.api}/v1/openapi.json`,
    version: contractVersion,
  };
}

export function hostDocumentOf(urls: PublicUrls): z.output<typeof hostDocument> {
  return {
    name: 'Shopscope',
    description: 'What is known about any web store, by domain: platform, technologies, catalogue, status and signals.',
    documentation_url: `${urls.site}/docs`,
    graphql: { url: `${urls.api}/v1/graphql`, access: 'api_key' },
    rest: {
      base_url: `${urls.api}/v1`,
      openapi_url: `${urls.api}/v1/openapi.json`,
      version: contractVersion,
      authentication: authenticationOf(urls),
    },
  };
}

/** The public documents. They do not change while the process runs. */
export type Documents = Readonly<Record<'host' | 'index' | 'openapi', StaticDocument>>;

export const createDocuments = (operations: readonly Operation[], urls: PublicUrls): Documents => ({
  host: staticDocument(hostDocumentOf(urls)),
  index: staticDocument(serviceIndexOf(operations, urls)),
  openapi: staticDocument(buildOpenapi(operations, { apiUrl: urls.api })),
});
