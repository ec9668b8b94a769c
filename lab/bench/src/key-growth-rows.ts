import type { Comparison } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { createRandom, type Random } from './random.ts';
import { lookUpsByEach, randomLookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';
import { takeTurns } from './turns.ts';
import { workspacesWithKeys } from './workspace-keys.ts';

/** Least rate with many keys of each workspace, divided by the rate with few. */
const keyGoal = 0.9;

/**
 * Measures GET by random keys of the same workspaces: few keys of each, and many. Before the rounds every key makes a
 * request, because its first one creates its usage counter.
 */
export async function measureKeyGrowth(
  settings: BenchSettings,
  system: RunningSystem,
  say: (line: string) => void,
): Promise<Comparison<LoadResult>[]> {
  const { keyWorkspaces, fewKeys, manyKeys, stores, connections, seconds, warmUpSeconds, rounds } = settings;
  const all = keyWorkspaces * manyKeys;
  say(`Creating ${all} keys of ${keyWorkspaces} workspaces …`);
  const keys = await workspacesWithKeys(system.keysAddress, settings, say);
  const to = { url: system.apiUrl, pids: system.pids, headers: {}, connections };
  say('Each key makes its first request …');
  const requests = lookUpsByEach(keys.flat(), stores);
  const first = await load({ ...to, connections: Math.min(connections, all), seconds, amount: all, requests });
  if (first.failures > 0) say(`${first.failures} of these ${all} requests failed.`);

  const contender = (keysEach: number) => {
    const secretOf = (random: Random) => keys[random(keyWorkspaces)]?.[random(keysEach)] as string;
    const measure = (seed: number, forSeconds: number) =>
      load({ ...to, seconds: forSeconds, requests: randomLookUps(createRandom(seed), stores, secretOf) });
    return {
      name: `GET store, random keys of ${keysEach * keyWorkspaces}`,
      measure: (round: number) => measure(round, seconds),
      warmUp: () => measure(0, warmUpSeconds),
    };
  };
  const few = { ...contender(fewKeys), goal: keyGoal };
  const many = contender(manyKeys);
  for (const { warmUp } of [few, many]) await warmUp();
  return [await takeTurns([few, many], rounds, (round) => say(`GET by many keys, round ${round} of ${rounds} …`))];
}
