import { type Clock, ManualClock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { type CallOptions, createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { RunningService } from '@shopscope/lifecycle';
import { StoreOutcome, SubscriptionsServiceService } from '@shopscope/proto';
import { serviceEnvironment, type TestNamespace, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { loadConfig, startSubscriptions } from '../../src/index.ts';

export type SubscriptionsClient = GrpcClient<typeof SubscriptionsServiceService>;
export type Rpc = keyof typeof SubscriptionsServiceService;
export type RequestOf<R extends Rpc> = Parameters<SubscriptionsClient[R]>[0];

/** Starts instances of subscriptions on one database. The timer runs only when the clock is moved. */
export interface SubscriptionsHarness {
  namespace: TestNamespace;
  db: Db;
  clock: ManualClock;
  /** `client` is for the environment live. */
  start(): Promise<
    RunningService & { client: SubscriptionsClient; clientIn(environment: Environment | null): SubscriptionsClient }
  >;
  stop(): Promise<void>;
}

/** A client that makes each call for a request of the environment. */
const clientOf = (address: string, environment: Environment | null): SubscriptionsClient => {
  const origin = { requestId: 'req_test', traceparent: '', environment };
  const client = createGrpcClient({ definition: SubscriptionsServiceService, address });
  return new Proxy(client, {
    get(target, name: Rpc | 'close') {
      if (name === 'close') return target.close;
      return (request: never, options: CallOptions = {}) => target[name](request, { origin, ...options });
    },
  });
};

/** Addresses at which nothing listens. */
export const noPeers = {
  KEYS_ADDRESS: '127.0.0.1:1',
  PROFILES_ADDRESS: '127.0.0.1:1',
  METERING_ADDRESS: '127.0.0.1:1',
  SCAN_SCHEDULER_ADDRESS: '127.0.0.1:1',
  SEARCH_ADDRESS: '127.0.0.1:1',
};

/** `peers`: the addresses of called services. */
export async function createHarness(
  label: string,
  clock = new ManualClock(),
  peers: Partial<typeof noPeers> = {},
): Promise<SubscriptionsHarness> {
  const namespace = testNamespace(label);
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const env = { ...serviceEnvironment(namespace, 'subscriptions'), ...noPeers, ...peers };
  const running = new Map<RunningService, SubscriptionsClient[]>();
  return {
    namespace,
    db: mongo.db(namespace.databaseName('subscriptions')),
    clock,
    async start() {
      const config = loadConfig({ ...env, INSTANCE_ID: `subscriptions-${running.size}-${namespace.id}` });
      const service = await startSubscriptions(config, { clock: clock satisfies Clock });
      const clients: SubscriptionsClient[] = [];
      running.set(service, clients);
      const clientIn = (environment: Environment | null) => {
        const client = clientOf(service.grpcAddress as string, environment);
        clients.push(client);
        return client;
      };
      return { ...service, client: clientIn('live'), clientIn };
    },
    async stop() {
      for (const [service, clients] of running) {
        for (const client of clients) client.close();
        await service.stop();
      }
      await mongo.close();
      await namespace.cleanup();
    },
  };
}

export const newWorkspaceId = () => newId('ws');
/** A quota that no test reaches. */
export const plenty = 1_000_000;

export async function newList(
  client: SubscriptionsClient,
  workspaceId: string,
  over: Partial<RequestOf<'createList'>> = {},
): Promise<string> {
  const request = { workspaceId, name: 'Prospects', quota: plenty, requestToken: '', ...over };
  return (await client.createList(request)).list?.id ?? '';
}

/** The members of a request that sets no rescans. */
export const noRescans = { rescanInterval: undefined, budget: undefined, keyId: '' };

export async function newWatchlist(
  client: SubscriptionsClient,
  workspaceId: string,
  over: Partial<RequestOf<'createWatchlist'>> = {},
): Promise<string> {
  const request = {
    workspaceId,
    name: 'Competitors',
    signalTypes: [],
    technologies: [],
    requestToken: '',
    ...noRescans,
  };
  return (await client.createWatchlist({ ...request, quota: plenty, ...over })).watchlist?.id ?? '';
}

export const storesOf = (domains: readonly string[]) => domains.map((domain) => ({ domain, externalId: undefined }));
export const domainsOf = (count: number, prefix = 'shop') =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(6, '0')}.example`);

/** Adds stores and returns the name of each outcome. */
export async function add(
  client: SubscriptionsClient,
  list: { workspaceId: string; listId: string },
  stores: RequestOf<'addListStores'>['stores'],
  quota = plenty,
): Promise<string[]> {
  const { results } = await client.addListStores({ ...list, stores, quota });
  return results.map(({ outcome }) => nameOf(outcome));
}

const names = new Map<StoreOutcome, string>(Object.entries(StoreOutcome).map(([name, value]) => [value, name]));
export const nameOf = (outcome: StoreOutcome): string => names.get(outcome)?.toLowerCase() ?? '';

/** The stores of a list, page by page. */
export async function everyStore(
  client: SubscriptionsClient,
  list: { workspaceId: string; listId: string },
  limit = 200,
): Promise<{ domain: string; externalId: string | undefined }[]> {
  const all: { domain: string; externalId: string | undefined }[] = [];
  for (let afterDomain = ''; ; afterDomain = all.at(-1)?.domain ?? '') {
    const { stores, hasMore } = await client.listListStores({ ...list, afterDomain, limit });
    all.push(...stores.map(({ domain, externalId }) => ({ domain, externalId })));
    if (!hasMore) return all;
  }
}
