import type { GrpcClient } from '@shopscope/grpc';
import type {
  GetCorpusResponse,
  GetTechnologyResponse,
  ListDomainPagesResponse,
  ListDomainsRequest,
  ListDomainsResponse,
  ListTechnologiesRequest,
  ListTechnologiesResponse,
  ProfilesServiceService,
  StoreSlice,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from '../../app/outbound/call.ts';
import type { Store } from '../../stores/domain.ts';

export interface FoundStore {
  /** Parsed at the first use. Its texts come from pages of strangers. */
  readonly body: Store;
}

export type ProfilesClient = ReturnType<typeof createProfilesClient>;

/** The calls of the profiles service. The corpus is the same for everybody. */
export function createProfilesClient(client: GrpcClient<typeof ProfilesServiceService>) {
  return {
    /** Parallel to `domains`: at most 100, canonical and distinct. Undefined: the corpus does not have the domain. */
    async getStores(domains: readonly string[], origin: Origin): Promise<(FoundStore | undefined)[]> {
      const request = { domains: [...domains], origins: [origin] };
      const { bodies, stores } = await callService((options) => client.getStores(request, options), origin);
      return stores.map((slice) => (slice.length === 0 ? undefined : foundStore(bodies, slice)));
    },
    /** `stores` is parallel to `technologies`, or empty while nothing was counted yet. */
    listTechnologies(
      query: Omit<ListTechnologiesRequest, 'origin'>,
      origin: Origin,
    ): Promise<ListTechnologiesResponse> {
      return callService((options) => client.listTechnologies({ ...query, origin }, options), origin);
    },
    /** Throws `not_found` for a slug that the vocabulary does not have. Without `usage` while nothing was counted yet. */
    getTechnology(slug: string, origin: Origin): Promise<GetTechnologyResponse> {
      return callService((options) => client.getTechnology({ slug }, options), origin);
    },
    getCorpus(origin: Origin): Promise<GetCorpusResponse> {
      return callService((options) => client.getCorpus({}, options), origin);
    },
    /** The ranges for `listDomains`: one per file of a sitemap. */
    listDomainPages(origin: Origin): Promise<ListDomainPagesResponse> {
      return callService((options) => client.listDomainPages({}, options), origin);
    },
    listDomains(request: ListDomainsRequest, origin: Origin): Promise<ListDomainsResponse> {
      return callService((options) => client.listDomains(request, options), origin);
    },
  };
}

function foundStore(bodies: Uint8Array, { offset, length }: StoreSlice): FoundStore {
  let parsed: Store | undefined;
  return {
    get body() {
      parsed ??= JSON.parse(new TextDecoder().decode(bodies.subarray(offset, offset + length))) as Store;
      return parsed;
    },
  };
}
