import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/** A key whose plan does not stand in the way of a load. */
export async function benchKey(address: string): Promise<string> {
  const keys = createGrpcClient({ definition: KeysServiceService, address });
  try {
    const actor = 'operator:bench';
    const plenty = 1_000_000_000;
    const plan = {
      slug: 'bench',
      rpm: 1_000_000,
      concurrency: 10_000,
      enrichBatchMax: 100,
      freshnessDays: 3_650,
      historyDays: 1_825,
      included: { lookupCached: plenty, lookupLive: plenty, historyQuery: plenty, refreshRequested: plenty },
    };
    await keys.putPlan({ plan, actor });
    const { workspace } = await keys.createWorkspace({ name: 'Bench', planSlug: plan.slug, actor });
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: 'bench', preset: 'full', scopes: [], expiresAtMs: undefined, actor };
    return (await keys.createKey(key)).secret;
  } finally {
    keys.close();
  }
}
