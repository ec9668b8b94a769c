import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/**
 * A key with every scope, in a workspace of its own, on a plan of which no limit is met: 429, 402 and 503 would stand in
 * the way of a load, and hide from a check what lies behind them. Plan, workspace and key are called `name`.
 */
export async function unlimitedKey(keysAddress: string, name: string): Promise<string> {
  const keys = createGrpcClient({ definition: KeysServiceService, address: keysAddress });
  try {
    const actor = `operator:${name}`;
    const plenty = 1_000_000_000;
    const plan = {
      slug: name,
      rpm: 1_000_000,
      concurrency: 10_000,
      enrichBatchMax: 100,
      freshnessDays: 3_650,
      historyDays: 1_825,
      included: { lookupCached: plenty, lookupLive: plenty, historyQuery: plenty, refreshRequested: plenty },
    };
    await keys.putPlan({ plan, actor });
    const { workspace } = await keys.createWorkspace({ name, planSlug: plan.slug, actor });
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: name, preset: 'full', scopes: [], expiresAtMs: undefined, actor };
    return (await keys.createKey(key)).secret;
  } finally {
    keys.close();
  }
}
