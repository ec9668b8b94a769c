import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/** A key with every scope, on a plan of which no limit is met: 429, 402 and 503 would hide what lies behind them. */
export async function unlimitedKey(address: string): Promise<string> {
  const keys = createGrpcClient({ definition: KeysServiceService, address });
  try {
    const actor = 'operator:check';
    const plenty = 1_000_000_000;
    const plan = {
      slug: 'check',
      rpm: 1_000_000,
      concurrency: 10_000,
      enrichBatchMax: 100,
      freshnessDays: 3_650,
      historyDays: 1_825,
      included: { lookupCached: plenty, lookupLive: plenty, historyQuery: plenty, refreshRequested: plenty },
    };
    await keys.putPlan({ plan, actor });
    const { workspace } = await keys.createWorkspace({ name: 'Check', planSlug: plan.slug, actor });
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: 'check', preset: 'full', scopes: [], expiresAtMs: undefined, actor };
    return (await keys.createKey(key)).secret;
  } finally {
    keys.close();
  }
}
