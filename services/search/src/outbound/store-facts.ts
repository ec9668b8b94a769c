import { createDeadline, type Deadline } from '@shopscope/async';
import { type CallOptions, callForBatch, callPeer, type GrpcClient } from '@shopscope/grpc';
import type { StoreFacts as Encoded, GetStoreFactsResponse, ProfilesServiceService } from '@shopscope/proto';
import type { StoreFacts } from '@shopscope/store-search';
import { noOrigin, type Origin } from '@shopscope/telemetry';

/** The facts of a store, and its body in the bytes that profiles sends. */
export interface FactsWithBody {
  facts: StoreFacts;
  body: Buffer;
}

export interface FactsPage {
  stores: StoreFacts[];
  hasMore: boolean;
  corpusStores: number;
}

export type StoreFactReader = ReturnType<typeof createStoreFactReader>;

const maxDomainsPerCall = 100;
const timeoutMs = 10_000;

export type FactsClient = Pick<GrpcClient<typeof ProfilesServiceService>, 'getStoreFacts' | 'listStoreFacts'>;

/** Reads facts of stores from profiles: of live stores, or of a workspace of the test tenant. */
export function createStoreFactReader(client: FactsClient, testWorkspaceId?: string) {
  const ofTenant = testWorkspaceId === undefined ? {} : { workspaceId: testWorkspaceId };
  const environment = testWorkspaceId === undefined ? 'live' : 'test';
  const ownOrigin: Origin = { ...noOrigin, environment };
  const call = <T>(run: (options: CallOptions) => Promise<T>) =>
    callForBatch(run, { deadline: createDeadline(timeoutMs), origin: ownOrigin });

  return {
    /** Returns the facts of all stores of the domains that exist. Rejects with `unavailable` while profiles is not available. */
    async ofAll(domains: readonly string[]): Promise<StoreFacts[]> {
      const found: StoreFacts[] = [];
      for (let rest = [...domains]; rest.length > 0; ) {
        const some = rest.slice(0, maxDomainsPerCall);
        const answer = await call((options) => client.getStoreFacts({ domains: some, ...ofTenant }, options));
        found.push(...answer.stores.map(factsOf));
        rest = rest.slice(coveredOf(answer));
      }
      return found;
    },

    /** Returns the facts of the first domains, about 4 MiB of them, for a request of a caller. */
    async ofFirst(
      domains: readonly string[],
      by: { origin: Origin; deadline: Deadline },
    ): Promise<{ stores: FactsWithBody[]; domainsCovered: number }> {
      const some = domains.slice(0, maxDomainsPerCall);
      if (some.length === 0) return { stores: [], domainsCovered: 0 };
      const answer = await callPeer((options) => client.getStoreFacts({ domains: some, ...ofTenant }, options), by);
      const stores = answer.stores.map((store) => ({ facts: factsOf(store), body: store.body }));
      return { stores, domainsCovered: coveredOf(answer) };
    },

    /** Returns the stores after a domain, in ascending order. */
    async list(afterDomain: string, limit: number): Promise<FactsPage> {
      const { stores, ...page } = await call((options) =>
        client.listStoreFacts({ afterDomain, limit, ...ofTenant }, options),
      );
      return { stores: stores.map(factsOf), ...page };
    },
  };
}

function coveredOf({ domainsCovered }: GetStoreFactsResponse): number {
  if (domainsCovered < 1) throw new Error('profiles covers no domain of the request');
  return domainsCovered;
}

function factsOf({ body, removed, ...facts }: Encoded): StoreFacts {
  return {
    ...facts,
    body: JSON.parse(body.toString('utf8')) as StoreFacts['body'],
    removed: removed.map(({ technology, ...change }) => ({ slug: technology, ...change })),
  };
}
