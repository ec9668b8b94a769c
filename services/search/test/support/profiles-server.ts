import { AppError } from '@shopscope/errors';
import { createGrpcServer } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import { ProfilesServiceService, StoreFacts } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';

/** A gRPC server in place of profiles. It answers the facts of stores, which a test can change. */
export interface ProfilesServer {
  address: string;
  stores: Map<string, StoreFacts>;
  /** Creates or changes a store. Returns its new sequence. */
  merge(domain: string, over?: Partial<StoreBody>): number;
  /** While true, every call fails with `unavailable`. */
  isAway: boolean;
  close(): Promise<void>;
}

export interface StoreBody {
  country: string;
  technologies: string[];
  products: number;
  /** Makes the body larger. */
  padding: string;
}

const maxBytes = 4 * 1024 * 1024;
const firstScanAtMs = Date.UTC(2026, 0, 1);

export async function startProfilesServer(): Promise<ProfilesServer> {
  const stores = new Map<string, StoreFacts>();
  const state = { isAway: false };
  const requireHere = () => {
    if (state.isAway) throw new AppError('unavailable', 'away');
  };
  const upTo = (found: readonly (StoreFacts | undefined)[]) => {
    let bytes = 0;
    const covered = found.findIndex((store) => {
      bytes += store?.body.length ?? 0;
      return bytes >= maxBytes;
    });
    return covered < 0 ? found.length : covered + 1;
  };
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
  server.addService(ProfilesServiceService, {
    async getStoreFacts({ domains }: { domains: string[] }) {
      requireHere();
      const found = domains.map((domain) => stores.get(domain));
      const domainsCovered = upTo(found);
      return { stores: found.slice(0, domainsCovered).flatMap((store) => store ?? []), domainsCovered };
    },
    async listStoreFacts({ afterDomain, limit }: { afterDomain: string; limit: number }) {
      requireHere();
      const domains = [...stores.keys()].filter((domain) => domain > afterDomain).sort();
      const found = domains.slice(0, limit).flatMap((domain) => stores.get(domain) ?? []);
      return { stores: found, hasMore: domains.length > limit, corpusStores: stores.size };
    },
  } as never);
  const address = await server.listen();
  return {
    address,
    stores,
    merge(domain, over = {}) {
      const sequence = (stores.get(domain)?.sequence ?? 0) + 1;
      stores.set(
        domain,
        factsOf(domain, sequence, { country: 'DE', technologies: [], products: 10, padding: '', ...over }),
      );
      return sequence;
    },
    get isAway() {
      return state.isAway;
    },
    set isAway(isAway) {
      state.isAway = isAway;
    },
    close: () => server.stop(),
  };
}

function factsOf(
  domain: string,
  sequence: number,
  { country, technologies, products, padding }: StoreBody,
): StoreFacts {
  const first = new Date(firstScanAtMs).toISOString();
  const body = {
    domain,
    name: padding,
    platform: { slug: 'shopify' },
    geography: { country },
    industry: { slug: 'apparel' },
    status: { state: 'active_storefront' },
    observation: { scope: 'full', last_completed_scan_at: first },
    catalog: { product_count: products, coverage: 'full' },
    technologies: technologies.map((slug) => ({
      slug,
      category: 'email',
      install_state: 'active',
      confidence: 'high',
      first_observed_at: first,
      last_confirmed_at: first,
    })),
  };
  return StoreFacts.fromPartial({
    domain,
    storefrontId: deriveId('sf', domain),
    sequence,
    body: Buffer.from(JSON.stringify(body)),
    firstScanAtMs,
  });
}
