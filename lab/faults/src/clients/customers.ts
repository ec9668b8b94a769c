import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import { batchSize, mcpKeys, neighbourLimits } from './neighbour/offered-load.ts';

export type Customers = Awaited<ReturnType<typeof createCustomers>>;

export type LimitedCustomer = Customer & { included: number };

export interface Customer {
  workspaceId: string;
  keys: readonly CustomerKey[];
}

export interface CustomerKey {
  id: string;
  secret: string;
}

type Keys = GrpcClient<typeof KeysServiceService>;

const actor = 'operator:faults';
/** The number of workspaces in the crowd. */
const crowdSize = 50;
/**
 * The allowances of the first workspaces of the crowd. All are above 16 units, so gateways get leases of them. Each is exhausted after the
 * load at the latest.
 */
const scarceAllowances = [18, 20, 24, 28, 32, 40, 48, 56, 64, 80];
const createdAtOnce = 10;
const unlimitedUnits = 1_000_000_000;
const highLimits = { rpm: 1_000_000, concurrency: 10_000, included: unlimitedUnits, liveRefreshes: unlimitedUnits };

/** Creates the customers of one run. Each run has its own, so its ledger entries, usage and jobs are separate from those of other runs. */
export async function createCustomers(keysAddress: string, options = { crowdSize }) {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  const create = async <Limit extends Partial<Limits>>(slug: string, count: number, limit: Limit) => ({
    ...(await createCustomer(keys, slug, { ...highLimits, ...limit }, count)),
    ...limit,
  });
  const revoked = await create('faults', 1, {});
  return {
    /** This customer sends most of the requests, with four keys. */
    main: await create('faults', 4, {}),
    /** This customer has an allowance that bursts exhaust during the run. */
    smallAllowance: await create('faults-small-allowance', 2, { included: 60 }),
    /** This customer has a low limit of requests per minute, and sends more than twice as many. */
    rateLimited: await create('faults-rate-limited', 1, { rpm: 10 }),
    /** This customer has a low limit of simultaneous requests. */
    lowConcurrency: await create('faults-low-concurrency', 1, { concurrency: 5 }),
    /** These customers share the gateways, the ledger and the calls about leases with all others. The first ones have small allowances. */
    crowd: await createCrowd(keys, options.crowdSize),
    revoked,
    /** Revokes the key of the customer `revoked`. Resolves when keys has acknowledged it. */
    async revoke(): Promise<void> {
      const keyId = revoked.keys[0]?.id ?? '';
      await keys.revokeKey({ workspaceId: revoked.workspaceId, keyId, actor, actorAddress: '' });
    },
    close: () => keys.close(),
  };
}

/**
 * Creates the workspace of the greedy neighbour, with a key for the API, others for MCP, and a test key. The clients do not use it.
 */
export const createNeighbourCustomer = (keysAddress: string): Promise<Customer & { testSecret: string }> =>
  withKeys(keysAddress, async (keys) => {
    const customer = await createCustomer(keys, 'faults-neighbour', neighbourLimits, 1 + mcpKeys);
    const testKey = await createKey(keys, customer.workspaceId, { label: 'test', environment: 'test' });
    return { ...customer, testSecret: testKey.secret };
  });

/** Creates a workspace that calls tools over MCP with one key. The clients do not use it. */
export const createModestCustomer = (keysAddress: string): Promise<Customer> =>
  withKeys(keysAddress, (keys) => createCustomer(keys, 'faults-modest', neighbourLimits, 1));

/** Creates the workspace of a person of the dashboard, with a key that reads usage. It has the plan of the customer `main`. */
export const createStoresCustomer = (keysAddress: string): Promise<Customer> =>
  withKeys(keysAddress, (keys) => createWorkspace(keys, 'faults', 1));

async function withKeys<T>(keysAddress: string, work: (keys: Keys) => Promise<T>): Promise<T> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  return work(keys).finally(() => keys.close());
}

/** Returns the workspaces of the crowd whose allowances are exhausted in each run. */
export const scarceOf = ({ crowd }: Pick<Customers, 'crowd'>): LimitedCustomer[] =>
  crowd.filter(({ included }) => included < unlimitedUnits);

async function createCrowd(keys: Keys, size: number): Promise<LimitedCustomer[]> {
  const allowances = Array.from({ length: size }, (_, n) => scarceAllowances[n] ?? unlimitedUnits);
  const slugOf = (included: number) => `faults-crowd-${included}`;
  for (const included of new Set(allowances)) await putPlan(keys, slugOf(included), { ...highLimits, included });
  const created: LimitedCustomer[] = [];
  for (let start = 0; start < allowances.length; start += createdAtOnce) {
    const some = allowances.slice(start, start + createdAtOnce).map(async (included) => {
      return { ...(await createWorkspace(keys, slugOf(included), 1)), included };
    });
    created.push(...(await Promise.all(some)));
  }
  return created;
}

interface Limits {
  rpm: number;
  concurrency: number;
  included: number;
  liveRefreshes: number;
}

async function createCustomer(keys: Keys, slug: string, limits: Limits, count: number): Promise<Customer> {
  await putPlan(keys, slug, limits);
  return createWorkspace(keys, slug, count);
}

/** Writes a plan. Its freshness is 0 days, so every refresh requests a scan. Its history reaches further back than that of the demo stores. */
async function putPlan(keys: Keys, slug: string, limits: Limits): Promise<void> {
  const { rpm, concurrency, included, liveRefreshes } = limits;
  const days = { freshnessDays: 0, historyDays: 365 };
  const unlimited = { historyQuery: unlimitedUnits, refreshRequested: unlimitedUnits };
  const units = { lookupCached: included, lookupLive: liveRefreshes, ...unlimited };
  const quotas = { lists: 10, listStores: 100_000, watchlists: 10, watchedStores: 10_000, webhooks: 10 };
  const plan = { slug, rpm, concurrency, enrichBatchMax: batchSize, ...days, included: units, quotas };
  await keys.putPlan({ plan, actor });
}

async function createWorkspace(keys: Keys, slug: string, count: number): Promise<Customer> {
  const { workspace } = await keys.createWorkspace({ name: slug, planSlug: slug, actor, actorAddress: '' });
  const workspaceId = workspace?.id ?? '';
  const created: CustomerKey[] = [];
  for (let n = 1; n <= count; n++) {
    created.push(await createKey(keys, workspaceId, { label: `${slug} ${n}`, environment: 'live' }));
  }
  return { workspaceId, keys: created };
}

async function createKey(
  keys: Keys,
  workspaceId: string,
  named: { label: string; environment: 'live' | 'test' },
): Promise<CustomerKey> {
  const key = { ...named, workspaceId, preset: 'full', scopes: [], expiresAtMs: undefined };
  const response = await keys.createKey({ ...key, actor, actorAddress: '', requestToken: '' });
  return { id: response.key?.id ?? '', secret: response.secret };
}
