import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/** Who calls in a run. All are made anew for it, so that ledger, usage and jobs of one run stand by themselves. */
export interface Customers {
  /** Calls much, under four keys. */
  main: Customer;
  /** Has an allowance that ends during the run, because bursts come for it. */
  tight: Customer & { included: number };
  /** Has few requests per minute, and sends more than twice as many in each. */
  limited: Customer & { rpm: number };
  /** Has few simultaneous requests. */
  narrow: Customer & { concurrency: number };
  /** Revokes the key of the customer `revoked`; resolves once keys has acknowledged it. */
  revoke(): Promise<void>;
  revoked: Customer;
  close(): void;
}

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
const plenty = 1_000_000_000;
const ample = { rpm: 1_000_000, concurrency: 10_000, included: plenty };

export async function createCustomers(keysAddress: string): Promise<Customers> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  const [tightIncluded, limitedRpm, narrowConcurrency] = [60, 10, 5];
  const main = await createCustomer(keys, 'faults', ample, 4);
  const revoked = await createCustomer(keys, 'faults', ample, 1);
  const tight = await createCustomer(keys, 'faults-tight', { ...ample, included: tightIncluded }, 2);
  const limited = await createCustomer(keys, 'faults-limited', { ...ample, rpm: limitedRpm }, 1);
  const narrow = await createCustomer(keys, 'faults-narrow', { ...ample, concurrency: narrowConcurrency }, 1);
  return {
    main,
    revoked,
    tight: { ...tight, included: tightIncluded },
    limited: { ...limited, rpm: limitedRpm },
    narrow: { ...narrow, concurrency: narrowConcurrency },
    revoke: async () => {
      await keys.revokeKey({ workspaceId: revoked.workspaceId, keyId: revoked.keys[0]?.id ?? '', actor });
    },
    close: () => keys.close(),
  };
}

/** Freshness of no days: every refresh asks for a scan. */
async function createCustomer(
  keys: Keys,
  slug: string,
  limits: { rpm: number; concurrency: number; included: number },
  count: number,
): Promise<Customer> {
  const { rpm, concurrency, included } = limits;
  const days = { freshnessDays: 0, historyDays: 30 };
  const units = { lookupCached: included, lookupLive: plenty, historyQuery: plenty, refreshRequested: plenty };
  await keys.putPlan({ plan: { slug, rpm, concurrency, enrichBatchMax: 100, ...days, included: units }, actor });
  const { workspace } = await keys.createWorkspace({ name: slug, planSlug: slug, actor });
  const workspaceId = workspace?.id ?? '';
  const created: CustomerKey[] = [];
  for (let n = 1; n <= count; n++) {
    const key = { workspaceId, label: `${slug} ${n}`, preset: 'full', scopes: [], expiresAtMs: undefined, actor };
    const answer = await keys.createKey(key);
    created.push({ id: answer.key?.id ?? '', secret: answer.secret });
  }
  return { workspaceId, keys: created };
}
