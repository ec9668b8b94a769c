import { createKeyedBatcher, type Deadline } from '@shopscope/async';
import type { CallOptions, GrpcClient } from '@shopscope/grpc';
import type {
  GetStoresResponse,
  ListTechnologiesRequest,
  ListTechnologiesResponse,
  ProfilesServiceService,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callForBatch, callPeer, joinBatch, originsOf } from './call-peer.ts';

/** A store body, as profiles stores it. */
export interface FoundStore {
  body: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
  lastCompletedScanAtMs: number;
}

/** The calls of the profiles service. The look-ups of one event-loop turn share a call. */
export interface ProfilesClient {
  /** Undefined when the domain is not in the corpus. `domain` is canonical. */
  lookUp(domain: string, origin: Origin, deadline: Deadline): Promise<FoundStore | undefined>;
  /** Results are parallel to `domains`, which must be distinct. `minDomainsOfOwnCall` or more domains have their own call. */
  lookUpMany(domains: readonly string[], origin: Origin, deadline: Deadline): Promise<(FoundStore | undefined)[]>;
  listTechnologies(
    query: Omit<ListTechnologiesRequest, 'origin'>,
    origin: Origin,
    deadline: Deadline,
  ): Promise<ListTechnologiesResponse>;
}

const maxDomainsPerCall = 100;
/** Fewer share a call with other look-ups. */
const minDomainsOfOwnCall = 20;
/** About the duration of a look-up: the longest time that a look-up waits for the call in flight. */
const maxWaitMs = 5;

interface LookUp {
  domain: string;
  origin: Origin;
}

export function createProfilesClient(
  client: GrpcClient<typeof ProfilesServiceService>,
  onBatch: (kind: 'lookup', size: number) => void = () => {},
): ProfilesClient {
  const lookUps = createKeyedBatcher<LookUp, FoundStore | undefined>({
    maxBatchSize: maxDomainsPerCall,
    dedupeBy: ({ domain }) => domain,
    waitForRunningMs: maxWaitMs,
    onBatch: (size) => onBatch('lookup', size),
    async run(items, deadline) {
      const origins = originsOf(items);
      const request = { domains: items.map(({ domain }) => domain), origins };
      return foundStores(await callForBatch((options) => client.getStores(request, options), { deadline, origins }));
    },
  });
  const lookUpUnbatched = async (domains: string[], origin: Origin, deadline: Deadline) => {
    onBatch('lookup', domains.length);
    const origins = [origin];
    const call = (options: CallOptions) => client.getStores({ domains, origins }, options);
    return foundStores(await callPeer(call, { deadline, origins }));
  };

  return {
    lookUp: (domain, origin, deadline) => joinBatch(lookUps, { domain, origin }, deadline),
    async lookUpMany(domains, origin, deadline) {
      if (domains.length < minDomainsOfOwnCall) {
        return Promise.all(domains.map((domain) => joinBatch(lookUps, { domain, origin }, deadline)));
      }
      const calls: Promise<(FoundStore | undefined)[]>[] = [];
      for (let start = 0; start < domains.length; start += maxDomainsPerCall) {
        calls.push(lookUpUnbatched(domains.slice(start, start + maxDomainsPerCall), origin, deadline));
      }
      return (await Promise.all(calls)).flat();
    },
    listTechnologies: (query, origin, deadline) =>
      callPeer((options) => client.listTechnologies({ ...query, origin }, options), { deadline, origin }),
  };
}

function foundStores({ bodies, stores }: GetStoresResponse): (FoundStore | undefined)[] {
  return stores.map(({ offset, length, etag, lastCompletedScanAtMs }) =>
    length === 0 ? undefined : { body: bodies.subarray(offset, offset + length), etag, lastCompletedScanAtMs },
  );
}
