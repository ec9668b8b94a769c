import type { GrpcClient } from '@shopscope/grpc';
import type { KeysServiceService, Plan } from '@shopscope/proto';

export type Keys = GrpcClient<typeof KeysServiceService>;

const units = 1_000_000;

/** Every profile counts as stale on this plan, so that a demo store is scanned again at once after it has changed. */
const corpusPlan: Plan = {
  slug: 'demo-corpus',
  rpm: 3_000,
  concurrency: 50,
  enrichBatchMax: 100,
  freshnessDays: 0,
  historyDays: 30,
  included: { lookupCached: units, lookupLive: units, historyQuery: units, refreshRequested: units },
};

/** Name of the workspace that scans the demo stores, so that no other workspace's allowance pays for it. */
export const corpusWorkspaceName = 'Demo corpus';

/** Creates the plan of the corpus workspace, or sets it as it was. Resolves to its slug. */
export async function putCorpusPlan(keys: Keys, actor: string): Promise<string> {
  await keys.putPlan({ plan: corpusPlan, actor });
  return corpusPlan.slug;
}
