import { dayMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { createGrpcClient } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import { CountStoresRequest, SearchServiceService, StoreFacts } from '@shopscope/proto';
import { loadConfig, startSearch } from '@shopscope/search';
import { encodeQuery } from '@shopscope/store-search';
import { openSearchEnvironment, serviceEnvironment, waitUntil } from '@shopscope/testing';
import { storeExample } from '../../../src/endpoints/get-store/examples.ts';
import { type Backends, type KeyOptions, startBackends } from './backends.ts';
import { startTestGateway } from './gateway.ts';
import { createRequests } from './requests.ts';
import { startTestSubscriptions } from './subscriptions.ts';

/** A store as a test names it. */
export interface SearchedStore {
  country?: string;
  platform?: string;
  scope?: string;
  products?: number;
  /** Slugs, with the day of the first observation before now. Without a day, the first scan saw it. */
  technologies?: Record<string, number | undefined>;
  /** Slugs of confirmed removals, with the day of the removal before now. */
  removed?: Record<string, number>;
  /** The platform before, with the day of the change before now. */
  moved?: Record<string, number>;
}

const firstScanDays = 400;
export const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** Makes or changes a store of profiles, which search reads. */
export function putStore(
  { facts }: Backends,
  domain: string,
  store: SearchedStore = {},
  environment: Environment = 'live',
): Buffer {
  const { country = 'DE', platform = 'shopify', scope = 'full', products = 100 } = store;
  const storefrontId = deriveId('sf', domain);
  const [first] = storeExample.technologies;
  const body = Buffer.from(
    JSON.stringify({
      ...storeExample,
      domain,
      storefront_id: storefrontId,
      platform: { ...storeExample.platform, slug: platform },
      geography: { ...storeExample.geography, country },
      catalog: { ...storeExample.catalog, product_count: products },
      observation: { ...storeExample.observation, scope },
      technologies: Object.entries(store.technologies ?? {}).map(([slug, days]) => ({
        ...first,
        slug,
        category: slug === 'klaviyo' ? 'marketing-automation' : 'reviews',
        first_observed_at: daysAgo(days ?? firstScanDays),
      })),
    }),
  );
  const changes = (entries: Record<string, number> = {}) =>
    Object.entries(entries).map(([name, days]) => {
      const atMs = Date.now() - days * dayMs;
      return { name, signalId: deriveId('evt', domain, name), effectiveAtMs: atMs, confirmedAtMs: atMs };
    });
  const made = StoreFacts.fromPartial({
    domain,
    storefrontId,
    sequence: (facts[environment].get(domain)?.sequence ?? 0) + 1,
    body,
    firstScanAtMs: Date.now() - (firstScanDays - 1) * dayMs,
    removed: changes(store.removed).map(({ name, ...change }) => ({ ...change, technology: name })),
    moved: changes(store.moved).map(({ name, ...change }) => ({ ...change, from: name, to: platform })),
  });
  facts[environment].set(domain, made);
  return body;
}

export type SearchTestSystem = Awaited<ReturnType<typeof startSearchTest>>;

/** A gateway with the real search, subscriptions and metering. The stores that `fill` puts into profiles are in the first edition. */
export async function startSearchTest(keyOptions: KeyOptions, fill: (backends: Backends) => void) {
  const backends = await startBackends();
  const { namespace, address } = backends;
  fill(backends);
  const search = await startSearch(
    loadConfig({
      ...serviceEnvironment(namespace, 'search'),
      ...(await openSearchEnvironment(namespace)),
      PROFILES_ADDRESS: address,
      INDEX_REPLICAS: '0',
      EDITION_LOOK_MS: '250',
      FILL_LOOK_MS: '250',
    }),
  );
  const searchAddress = search.grpcAddress as string;
  const subscriptions = await startTestSubscriptions(namespace, address, searchAddress);
  await firstEdition(searchAddress, backends.facts.live.size);
  const env = { SUBSCRIPTIONS_ADDRESS: subscriptions.address, SEARCH_ADDRESS: searchAddress };
  const gateway = await startTestGateway({ backends, env });
  return Object.assign(createRequests(backends, gateway, keyOptions), {
    backends,
    gateway,
    stopSearch: search.stop,
    async stop() {
      await gateway.stop();
      await subscriptions.stop();
      await search.stop();
      await backends.stop();
    },
  });
}

async function firstEdition(address: string, stores: number): Promise<void> {
  const client = createGrpcClient({ definition: SearchServiceService, address });
  const where = { status: { any: ['active_storefront'] }, technologies: [], dropped: [] };
  const request = CountStoresRequest.fromPartial({ query: encodeQuery({ where, sort: 'domain' }) });
  await waitUntil(`an edition of ${stores} stores`, async () => {
    const answer = await client.countStores(request).catch(() => undefined);
    return answer?.edition?.stores === stores;
  });
  client.close();
}
