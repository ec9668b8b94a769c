import type { GrpcClient } from '@shopscope/grpc';
import {
  type ProfilesServiceService,
  SearchSignalsRequest,
  type SignalFilters,
  type StoreSlice,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService, pageCalls } from '../../app/outbound/call.ts';
import type { Store } from '../../stores/domain.ts';

export interface FoundStore {
  /** Parsed at the first use. Its texts come from untrusted pages. */
  readonly body: Store;
}

/** The calls of the profiles service. All callers share the corpus. */
export function createProfilesClient(client: GrpcClient<typeof ProfilesServiceService>) {
  return {
    ...pageCalls(
      client,
      'getCorpus',
      'getTechnology',
      'listDomainPages',
      'listDomains',
      'listTechnologies',
      'resolveValues',
    ),
    /** Throws `invalid_request` for the first value that does not exist. */
    checkSignalFilters: (filters: Partial<SignalFilters>, origin: Origin) =>
      callService((options) => client.searchSignals(checkOf(filters), options), origin),
    /**
     * Results have the order of `domains`, which are at most 100, canonical and distinct. A result is undefined if the
     * corpus does not have the domain.
     */
    async getStores(domains: readonly string[], origin: Origin): Promise<(FoundStore | undefined)[]> {
      const request = { domains: [...domains] };
      const { bodies, stores } = await callService((options) => client.getStores(request, options), origin);
      return stores.map((slice) => (slice.length === 0 ? undefined : foundStore(bodies, slice)));
    },
  };
}

const checkOf = (filters: Partial<SignalFilters>) =>
  SearchSignalsRequest.fromPartial({ filters, limit: 1, onlyCheck: true });

function foundStore(bodies: Uint8Array, { offset, length }: StoreSlice): FoundStore {
  let parsed: Store | undefined;
  return {
    get body() {
      parsed ??= JSON.parse(new TextDecoder().decode(bodies.subarray(offset, offset + length))) as Store;
      return parsed;
    },
  };
}
