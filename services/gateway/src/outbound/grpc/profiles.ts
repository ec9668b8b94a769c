import type { GrpcClient } from '@shopscope/grpc';
import type { ListTechnologiesRequest, ListTechnologiesResponse, ProfilesServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { createCoalescer } from '../coalesce.ts';
import { callPeer, longerBound, within } from './call-peer.ts';

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
  lookUp(domain: string, origin: Origin, timeoutMs: number): Promise<FoundStore | undefined>;
  /** Parallel to `domains`, which differ from each other. Many of them are a call of their own: company gains nothing. */
  lookUpMany(domains: readonly string[], origin: Origin, timeoutMs: number): Promise<(FoundStore | undefined)[]>;
  listTechnologies(
    query: Omit<ListTechnologiesRequest, 'origin'>,
    origin: Origin,
    timeoutMs: number,
  ): Promise<ListTechnologiesResponse>;
}

const maxDomainsPerCall = 100;
/** Fewer share a call with other look-ups. */
const minDomainsOfOwnCall = 20;
/** A look-up takes a few milliseconds; no caller waits longer than about one more for company. */
const gatherMs = 5;
/** Origins are for logs: a few name the batch well enough. */
const maxOriginsPerCall = 20;

interface LookUp {
  domain: string;
  origin: Origin;
  timeoutMs: number;
}

export function createProfilesPeer(
  client: GrpcClient<typeof ProfilesServiceService>,
  onBatch?: (size: number) => void,
): ProfilesPeer {
  const getStores = async (domains: string[], origins: Origin[], timeoutMs: number) => {
    const request = { domains, origins };
    const bounds = { timeoutMs, origins };
    const { bodies, stores } = await callPeer((options) => client.getStores(request, options), bounds);
    return stores.map(({ offset, length, etag, lastCompletedScanAtMs }): FoundStore | undefined =>
      length === 0 ? undefined : { body: bodies.subarray(offset, offset + length), etag, lastCompletedScanAtMs },
    );
  };
  const lookUps = createCoalescer<LookUp, FoundStore | undefined>({
    maxBatch: maxDomainsPerCall,
    keyOf: (item) => item.domain,
    join: longerBound,
    gatherMs,
    onBatch,
    call: (items) =>
      getStores(
        items.map((item) => item.domain),
        originsOf(items),
        Math.max(...items.map((item) => item.timeoutMs)),
      ),
  });
  const lookUp: ProfilesPeer['lookUp'] = (domain, origin, timeoutMs) =>
    within(timeoutMs, lookUps.load({ domain, origin, timeoutMs }));

  return {
    lookUp,
    async lookUpMany(domains, origin, timeoutMs) {
      if (domains.length < minDomainsOfOwnCall)
        return Promise.all(domains.map((domain) => lookUp(domain, origin, timeoutMs)));
      const calls: Promise<(FoundStore | undefined)[]>[] = [];
      for (let start = 0; start < domains.length; start += maxDomainsPerCall) {
        const some = domains.slice(start, start + maxDomainsPerCall);
        onBatch?.(some.length);
        calls.push(getStores(some, [origin], timeoutMs));
      }
      return (await Promise.all(calls)).flat();
    },
    listTechnologies: (query, origin, timeoutMs) =>
      callPeer((options) => client.listTechnologies({ ...query, origin }, options), { timeoutMs, origin }),
  };
}

export function originsOf(items: readonly { origin: Origin }[]): Origin[] {
  return [...new Set(items.map((item) => item.origin))].slice(0, maxOriginsPerCall);
}
