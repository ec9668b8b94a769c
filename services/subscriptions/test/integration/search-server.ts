import { AppError, invalidField } from '@shopscope/errors';
import { createGrpcServer } from '@shopscope/grpc';
import { type CountStoresRequest, type FindStoresRequest, SearchServiceService, StoreRow } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';

/**
 * A stand-in for search behind real gRPC. Its stores match every query, in the order of their domains, except that lists filter. An edition
 * has the stores of its beginning. Stores that are gone since have no row.
 */
export type SearchServer = Awaited<ReturnType<typeof startSearchServer>>;

const maxPageRows = 200;

export async function startSearchServer() {
  let stores = new Map<string, StoreRow>();
  const editions = new Map<string, string[]>();
  let latest = '';
  let made = 0;
  const state = { isAway: false, isBusy: false, pages: 0, onPage: () => {} };
  const requireHere = () => {
    if (state.isAway) throw new AppError('unavailable', 'The engine is away.');
    if (state.isBusy) throw new AppError('concurrency_limited', 'Too many searches.', { details: { retry_after: 1 } });
  };
  const domainsOf = (editionId: string, { query, context }: Pick<FindStoresRequest, 'query' | 'context'>): string[] => {
    const domains = editions.get(editionId);
    if (!domains) throw invalidField('edition_id', 'has ended; begin again without a cursor');
    const listed = new Map(context?.lists.map(({ listId, domains }) => [listId, domains]));
    const isIn = (ids: readonly string[], domain: string) => ids.some((id) => listed.get(id)?.includes(domain));
    const { any = [], none = [] } = query?.list ?? {};
    return domains.filter((domain) => (any.length === 0 || isIn(any, domain)) && !isIn(none, domain));
  };

  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
  server.addService(SearchServiceService, {
    async findStores(request: FindStoresRequest) {
      requireHere();
      state.pages += 1;
      state.onPage();
      const { editionId, after, limit } = request;
      if (!(limit >= 1 && limit <= maxPageRows)) throw invalidField('limit', 'must be from 1 to 200');
      const page = domainsOf(editionId, request)
        .filter((domain) => domain > after)
        .slice(0, limit);
      const rows = page.flatMap((domain) => stores.get(domain) ?? []);
      const edition = { id: editionId, builtAtMs: 0, stores: 0 };
      return { edition, rows, next: page.length === limit ? (page.at(-1) ?? '') : '' };
    },
    async countStores(request: CountStoresRequest) {
      requireHere();
      const total = domainsOf(latest, request).length;
      const edition = { id: latest, builtAtMs: 0, stores: editions.get(latest)?.length ?? 0 };
      return { edition, total, notJudged: 0, facets: [], sampleDomains: [] };
    },
  } as never);

  return {
    address: await server.listen(),
    state,
    /** Replaces the stores, and opens an edition of them. */
    open(domains: readonly string[], bodyOf: (domain: string) => object = bodyFor): void {
      stores = new Map(domains.map((domain) => [domain, rowOf(domain, bodyOf(domain))]));
      latest = `edn_${++made}`;
      editions.set(latest, [...domains].sort());
    },
    row: (domain: string) => stores.get(domain),
    remove: (domain: string) => stores.delete(domain),
    /** Ends all editions but the latest one. */
    endEditions(): void {
      for (const id of editions.keys()) if (id !== latest) editions.delete(id);
    },
    close: () => server.stop(),
  };
}

export const bodyFor = (domain: string) => ({
  domain,
  name: `Shop "${domain}", Ä`,
  storefront_host: `www.${domain}`,
  platform: { slug: 'shopify', name: 'Shopify' },
  geography: { country: 'DE' },
  catalog: { product_count: 12 },
  technologies: [{ slug: 'klaviyo' }, { slug: 'yotpo' }],
});

const rowOf = (domain: string, body: object): StoreRow =>
  StoreRow.fromPartial({
    domain,
    storefrontId: `sf_${domain}`,
    body: Buffer.from(JSON.stringify(body)),
    matched: [{ technology: 'klaviyo', installState: 'active', atFirstScan: true }],
  });
