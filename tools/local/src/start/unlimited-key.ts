import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/** As {@link unlimitedKeys}, one key. */
export async function unlimitedKey(keysAddress: string, name: string, environment = 'live'): Promise<string> {
  const [secret] = await unlimitedKeys(keysAddress, name, 1, environment);
  return secret as string;
}

const keysAtOnce = 8;

/**
 * Creates keys with every scope, each in its own workspace, on a plan with very high limits. So a load or a check gets no
 * 429, 402 or 503. Plan, workspaces and keys have the name `name`.
 */
export async function unlimitedKeys(
  keysAddress: string,
  name: string,
  count: number,
  environment = 'live',
): Promise<string[]> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  try {
    const by = { actor: `operator:${name}`, actorAddress: '' };
    const plenty = 1_000_000_000;
    const plan = {
      slug: name,
      rpm: 1_000_000,
      concurrency: 10_000,
      enrichBatchMax: 100,
      freshnessDays: 3_650,
      historyDays: 1_825,
      included: { lookupCached: plenty, lookupLive: plenty, historyQuery: plenty, refreshRequested: plenty },
      quotas: { lists: plenty, listStores: plenty, watchlists: plenty, watchedStores: plenty, webhooks: plenty },
    };
    await keys.putPlan({ plan, actor: by.actor });
    const create = async () => {
      const { workspace } = await keys.createWorkspace({ name, planSlug: plan.slug, ...by });
      const workspaceId = workspace?.id ?? '';
      const key = { workspaceId, label: name, preset: 'full', scopes: [], environment, expiresAtMs: undefined, ...by };
      return (await keys.createKey({ ...key, requestToken: '' })).secret;
    };
    const secrets: string[] = [];
    while (secrets.length < count) {
      const next = Array.from({ length: Math.min(keysAtOnce, count - secrets.length) }, create);
      secrets.push(...(await Promise.all(next)));
    }
    return secrets;
  } finally {
    keys.close();
  }
}
