import { createGrpcClient } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';

/**
 * Creates a key with every scope, in its own workspace, on a plan with very high limits. So a load or a check gets no
 * 429, 402 or 503. Plan, workspace and key have the name `name`.
 */
export async function unlimitedKey(keysAddress: string, name: string): Promise<string> {
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
    };
    await keys.putPlan({ plan, actor: by.actor });
    const { workspace } = await keys.createWorkspace({ name, planSlug: plan.slug, ...by });
    const workspaceId = workspace?.id ?? '';
    const key = { workspaceId, label: name, preset: 'full', scopes: [], expiresAtMs: undefined, ...by };
    return (await keys.createKey({ ...key, requestToken: '' })).secret;
  } finally {
    keys.close();
  }
}
