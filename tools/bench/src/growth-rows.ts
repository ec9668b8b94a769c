import { unlimitedKeys } from '@shopscope/local';
import type { Request } from 'autocannon';
import type { Comparison, Row } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** The last row is what the others are compared with. */
const workspaceCounts = [1, 100, 1_000] as const;
/** Least share of the rate of one workspace that many workspaces reach together. */
const growthGoal = 0.8;
const connectionCounts = [32, 128] as const;

/**
 * Measures GET of one store with the traffic of one workspace and of many, in turns. What a request costs must not depend on
 * the number of workspaces that share the traffic.
 */
export async function measureGrowth(
  settings: BenchSettings,
  system: RunningSystem,
  say: (line: string) => void,
): Promise<Comparison<LoadResult>[]> {
  say(`Creating ${Math.max(...workspaceCounts)} workspaces …`);
  const secrets = await unlimitedKeys(system.keysAddress, 'bench-growth', Math.max(...workspaceCounts));
  const gets = lookUps(settings);
  const comparisons: Comparison<LoadResult>[] = [];
  for (const connections of connectionCounts) {
    const rows = workspaceCounts.map((workspaces): Row<LoadResult> & { requests: Request[] } => ({
      name: `GET store, ${connections} connections, workspaces: ${workspaces}`,
      results: [],
      requests: requestsOf(gets, secrets.slice(0, workspaces)),
      ...(workspaces === 1 ? { goal: growthGoal } : {}),
    }));
    const measure = ({ requests }: { requests: Request[] }, seconds: number) =>
      load({ url: system.apiUrl, pids: system.pids, seconds, connections, requests, headers: {} });
    for (const row of rows) await measure(row, settings.warmUpSeconds);
    for (let round = 1; round <= settings.rounds; round++) {
      say(`GET store, ${connections} connections, round ${round} of ${settings.rounds} …`);
      for (const row of rows) row.results.push(await measure(row, settings.seconds));
    }
    comparisons.push(rows);
  }
  return comparisons;
}

/** Look-ups of all stores, by the workspaces in turn. */
const requestsOf = (gets: readonly Request[], secrets: readonly string[]): Request[] =>
  Array.from({ length: Math.max(gets.length, secrets.length) }, (_, n) => ({
    ...gets[n % gets.length],
    headers: { authorization: `Bearer ${secrets[n % secrets.length]}` },
  }));
