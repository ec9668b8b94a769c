import { createKeyedBatcher, type Deadline } from '@shopscope/async';
import {
  type CallOptions,
  callForBatch,
  callPeer,
  environmentOf,
  type GrpcClient,
  joinBatch,
  originsOf,
  toInternal,
} from '@shopscope/grpc';
import type { GetStoresResponse, ProfilesServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/** A store body, in the bytes that the profiles service stores. */
export interface FoundStore {
  body: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
  lastCompletedScanAtMs: number;
}

const maxDomainsPerCall = 100;
/** A look-up of fewer domains shares a call with other look-ups. */
const minDomainsOfOwnCall = 20;
/** About the duration of a look-up. A look-up waits at most this time for the call in flight. */
const maxWaitMs = 5;

interface LookUp {
  domain: string;
  origin: Origin;
}

type LookedUp = FoundStore | undefined | 'deferred';

export type StoreLookUps = ReturnType<typeof createStoreLookUps>;

/**
 * The look-ups of profiles. The look-ups of one environment and event-loop turn share a call.
 *
 * - The bodies of a call do not fit into one response -> profiles defers the largest ones. Each deferred look-up is repeated in a call
 *   of its own. The size of one store therefore neither fails nor delays the look-up of another store.
 */
export function createStoreLookUps(
  client: Pick<GrpcClient<typeof ProfilesServiceService>, 'getStores' | 'getScanTimes'>,
  onBatch: (kind: 'lookup', size: number) => void = () => {},
) {
  const lookUps = createKeyedBatcher<LookUp, LookedUp>({
    keyOf: environmentOf,
    maxBatchSize: maxDomainsPerCall,
    dedupeBy: ({ domain }) => domain,
    waitForRunningMs: maxWaitMs,
    onBatch: (size) => onBatch('lookup', size),
    async run(items, deadline) {
      const request = { domains: items.map(({ domain }) => domain) };
      const call = { deadline, origins: originsOf(items) };
      return foundStores(await callForBatch((options) => client.getStores(request, options), call));
    },
  });
  const lookUpUnbatched = async (domains: readonly string[], origin: Origin, deadline: Deadline) => {
    const stores = new Map<string, FoundStore | undefined>();
    for (let wanted = [...domains]; wanted.length > 0; ) {
      onBatch('lookup', wanted.length);
      const request = { domains: wanted };
      const call = (options: CallOptions) => client.getStores(request, options);
      const found = foundStores(await callPeer(call, { deadline, origin }));
      const deferred = wanted.filter((_, index) => found[index] === 'deferred');
      if (deferred.length === wanted.length) throw toInternal(new Error('profiles has deferred every store of a call'));
      for (const [index, store] of found.entries())
        if (store !== 'deferred') stores.set(wanted[index] as string, store);
      wanted = deferred;
    }
    return domains.map((domain) => stores.get(domain));
  };
  const lookUp = async (domain: string, origin: Origin, deadline: Deadline): Promise<FoundStore | undefined> => {
    const found = await joinBatch(lookUps, { domain, origin }, deadline);
    return found === 'deferred' ? (await lookUpUnbatched([domain], origin, deadline))[0] : found;
  };

  return {
    /** Resolves to undefined if the domain is not in the corpus. `domain` is canonical. */
    lookUp,
    /** Results are parallel to `domains`, which must be distinct. {@link minDomainsOfOwnCall} or more domains have their own call. */
    async lookUpMany(
      domains: readonly string[],
      origin: Origin,
      deadline: Deadline,
    ): Promise<(FoundStore | undefined)[]> {
      if (domains.length < minDomainsOfOwnCall) {
        return Promise.all(domains.map((domain) => lookUp(domain, origin, deadline)));
      }
      const calls: Promise<(FoundStore | undefined)[]>[] = [];
      for (let start = 0; start < domains.length; start += maxDomainsPerCall) {
        calls.push(lookUpUnbatched(domains.slice(start, start + maxDomainsPerCall), origin, deadline));
      }
      return (await Promise.all(calls)).flat();
    },
    /** Results are parallel to `domains`, at most 2,000: Unix ms, or undefined if the domain is not in the corpus. */
    async scanTimes(domains: readonly string[], origin: Origin, deadline: Deadline): Promise<(number | undefined)[]> {
      const request = { domains: [...domains] };
      const call = (options: CallOptions) => client.getScanTimes(request, options);
      const { lastCompletedScanAtMs } = await callPeer(call, { deadline, origin });
      return lastCompletedScanAtMs.map((time) => time || undefined);
    },
  };
}

function foundStores({ bodies, stores }: GetStoresResponse): LookedUp[] {
  return stores.map(({ offset, length, etag, lastCompletedScanAtMs, deferred }) => {
    if (deferred) return 'deferred';
    return length === 0 ? undefined : { body: bodies.subarray(offset, offset + length), etag, lastCompletedScanAtMs };
  });
}
