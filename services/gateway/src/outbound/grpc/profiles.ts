import { createKeyedBatcher, type Deadline } from '@shopscope/async';
import type { CallOptions, GrpcClient } from '@shopscope/grpc';
import type {
  GetStoresResponse,
  ListTechnologiesRequest,
  ListTechnologiesResponse,
  ProfilesServiceService,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callForBatch, callPeer, joinCall, originsOf } from './call-peer.ts';

/** A store's finished bytes, as profiles keeps them. */
export interface FoundStore {
  body: Buffer;
  /** Strong, with its quotes. */
  etag: string;
  lastCompletedScanAtMs: number;
}

/** What the gateway asks of profiles. Look-ups of one event-loop turn, whoever they are for, are one call. */
export interface ProfilesPeer {
  /** Undefined when the domain is not in the corpus. `domain` is canonical. */
  lookUp(domain: string, origin: Origin, deadline: Deadline): Promise<FoundStore | undefined>;
  /** Parallel to `domains`, which differ from each other. Many of them are a call of their own, which is full enough. */
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
/** About as long as a look-up takes: longer than this no look-up waits for the one before it. */
const gatherMs = 5;

interface LookUp {
  domain: string;
  origin: Origin;
}

export function createProfilesPeer(
  client: GrpcClient<typeof ProfilesServiceService>,
  onBatch: (kind: 'lookup', size: number) => void = () => {},
): ProfilesPeer {
  const lookUps = createKeyedBatcher<LookUp, FoundStore | undefined>({
    maxBatchSize: maxDomainsPerCall,
    dedupeBy: ({ domain }) => domain,
    waitForRunningMs: gatherMs,
    onBatch: (size) => onBatch('lookup', size),
    async run(items, deadline) {
      const origins = originsOf(items);
      const request = { domains: items.map(({ domain }) => domain), origins };
      return foundStores(await callForBatch((options) => client.getStores(request, options), { deadline, origins }));
    },
  });
  const lookUpAlone = async (domains: string[], origin: Origin, deadline: Deadline) => {
    onBatch('lookup', domains.length);
    const origins = [origin];
    const call = (options: CallOptions) => client.getStores({ domains, origins }, options);
    return foundStores(await callPeer(call, { deadline, origins }));
  };

  return {
    lookUp: (domain, origin, deadline) => joinCall(lookUps, { domain, origin }, deadline),
    async lookUpMany(domains, origin, deadline) {
      if (domains.length < minDomainsOfOwnCall) {
        return Promise.all(domains.map((domain) => joinCall(lookUps, { domain, origin }, deadline)));
      }
      const calls: Promise<(FoundStore | undefined)[]>[] = [];
      for (let start = 0; start < domains.length; start += maxDomainsPerCall) {
        calls.push(lookUpAlone(domains.slice(start, start + maxDomainsPerCall), origin, deadline));
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
