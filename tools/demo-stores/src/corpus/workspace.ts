import type { GrpcClient } from '@shopscope/grpc';
import type { KeysServiceService, Plan } from '@shopscope/proto';

export type Keys = GrpcClient<typeof KeysServiceService>;

const units = 1_000_000;

/** Every profile is stale on this plan, so that a changed demo store can be scanned again at once. */
const corpusPlan: Plan = {
  slug: 'demo-corpus',
  rpm: 3_000,
  concurrency: 50,
  enrichBatchMax: 100,
  freshnessDays: 0,
  historyDays: 30,
  included: { lookupCached: units, lookupLive: units, historyQuery: units, refreshRequested: units },
  quotas: undefined,
};

/** Name of the workspace that scans the demo stores. It uses no allowance of another workspace. */
export const corpusWorkspaceName = 'Demo corpus';

/** Creates or resets the plan of the corpus workspace. Resolves to its slug. */
export async function putCorpusPlan(keys: Keys, actor: string): Promise<string> {
  await keys.putPlan({ plan: corpusPlan, actor });
  return corpusPlan.slug;
}
