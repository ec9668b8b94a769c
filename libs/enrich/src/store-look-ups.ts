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
import { isDomainOf } from '@shopscope/test-tenant';

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
  /** Undefined for live stores, which are the same for all workspaces. */
  workspaceId: string | undefined;
}

type LookedUp = FoundStore | undefined | 'deferred';

export type StoreLookUps = ReturnType<typeof createStoreLookUps>;

/**
 * The look-ups of profiles. The look-ups of one environment and event-loop turn share a call, in the test environment those of one workspace.
 *
 * - A domain that no store of the environment can have (see isDomainOf) -> profiles is not asked, and the domain is unknown.
 * - The bodies of a call do not fit into one response -> profiles defers the largest ones. Each deferred look-up is repeated in a call
 *   of its own. The size of one store therefore neither fails nor delays the look-up of another store.
 */
export function createStoreLookUps(
  client: Pick<GrpcClient<typeof ProfilesServiceService>, 'getStores' | 'getScanTimes'>,
  onBatch: (kind: 'lookup', size: number) => void = () => {},
) {
  const lookUps = createKeyedBatcher<LookUp, LookedUp>({
    keyOf: (lookUp) => `${environmentOf(lookUp)} ${lookUp.workspaceId ?? ''}`,
    maxBatchSize: maxDomainsPerCall,
    dedupeBy: ({ domain }) => domain,
    waitForRunningMs: maxWaitMs,
    onBatch: (size) => onBatch('lookup', size),
    async run(items, deadline) {
      const request = { domains: items.map(({ domain }) => domain), workspaceId: items[0]?.workspaceId };
      const call = { deadline, origins: originsOf(items) };
      return foundStores(await callForBatch((options) => client.getStores(request, options), call));
    },
  });
  const lookUpUnbatched = async (
    domains: readonly string[],
    { origin, workspaceId }: Omit<LookUp, 'domain'>,
    deadline: Deadline,
  ) => {
    const stores = new Map<string, FoundStore | undefined>();
    for (let wanted = [...domains]; wanted.length > 0; ) {
      onBatch('lookup', wanted.length);
      const request = { domains: wanted, workspaceId };
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
  const lookUpOne = async (lookUp: LookUp, deadline: Deadline): Promise<FoundStore | undefined> => {
    const found = await joinBatch(lookUps, lookUp, deadline);
    return found === 'deferred' ? (await lookUpUnbatched([lookUp.domain], lookUp, deadline))[0] : found;
  };
  const lookUpAll = async (domains: readonly string[], by: Omit<LookUp, 'domain'>, deadline: Deadline) => {
    if (domains.length < minDomainsOfOwnCall) {
      return Promise.all(domains.map((domain) => lookUpOne({ domain, ...by }, deadline)));
    }
    const calls: Promise<(FoundStore | undefined)[]>[] = [];
    for (let start = 0; start < domains.length; start += maxDomainsPerCall) {
      calls.push(lookUpUnbatched(domains.slice(start, start + maxDomainsPerCall), by, deadline));
    }
    return (await Promise.all(calls)).flat();
  };

  return {
    /** Resolves to undefined if the domain is not in the corpus. `domain` is canonical. */
    async lookUp(
      domain: string,
      origin: Origin,
      deadline: Deadline,
      workspaceId: string,
    ): Promise<FoundStore | undefined> {
      const by = callerOf(origin, workspaceId);
      return isKnowable(origin, domain) ? lookUpOne({ domain, ...by }, deadline) : undefined;
    },
    /** Results are parallel to `domains`, which must be distinct. {@link minDomainsOfOwnCall} or more domains have their own call. */
    async lookUpMany(
      domains: readonly string[],
      origin: Origin,
      deadline: Deadline,
      workspaceId: string,
    ): Promise<(FoundStore | undefined)[]> {
      const by = callerOf(origin, workspaceId);
      return ofKnowable(origin, domains, (knowable) => lookUpAll(knowable, by, deadline));
    },
    /** Results are parallel to `domains`, at most 2,000: Unix ms, or undefined if the domain is not in the corpus. */
    async scanTimes(
      domains: readonly string[],
      origin: Origin,
      deadline: Deadline,
      workspaceId: string,
    ): Promise<(number | undefined)[]> {
      const by = callerOf(origin, workspaceId);
      return ofKnowable(origin, domains, async (knowable) => {
        const request = { domains: [...knowable], workspaceId: by.workspaceId };
        const call = (options: CallOptions) => client.getScanTimes(request, options);
        const { lastCompletedScanAtMs } = await callPeer(call, { deadline, origin });
        return lastCompletedScanAtMs.map((time) => time || undefined);
      });
    },
  };
}

const callerOf = (origin: Origin, workspaceId: string): Omit<LookUp, 'domain'> => ({
  origin,
  workspaceId: origin.environment === 'test' ? workspaceId : undefined,
});

const isKnowable = ({ environment }: Origin, domain: string) => isDomainOf(environment ?? 'live', domain);

/** Asks for the domains that stores of the environment can have. The results are parallel to `domains`. */
async function ofKnowable<T>(
  origin: Origin,
  domains: readonly string[],
  ask: (knowable: readonly string[]) => Promise<(T | undefined)[]>,
): Promise<(T | undefined)[]> {
  const knowable = domains.filter((domain) => isKnowable(origin, domain));
  if (knowable.length === domains.length) return ask(domains);
  const found = knowable.length > 0 ? await ask(knowable) : [];
  const byDomain = new Map(knowable.map((domain, index) => [domain, found[index]]));
  return domains.map((domain) => byDomain.get(domain));
}

function foundStores({ bodies, stores }: GetStoresResponse): LookedUp[] {
  return stores.map(({ offset, length, etag, lastCompletedScanAtMs, deferred }) => {
    if (deferred) return 'deferred';
    return length === 0 ? undefined : { body: bodies.subarray(offset, offset + length), etag, lastCompletedScanAtMs };
  });
}
