import { type LoadResult, load } from './load.ts';
import { createRandom, type Random } from './random.ts';
import { lookUpsByEach, randomLookUps } from './requests.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';
import { workspacesWithKeys } from './workspace-keys.ts';

/** The goal for the rate with many keys of each workspace, divided by the rate with few. */
const keyGoal = 0.9;

/**
 * Measures GET by random keys of the same workspaces, first with few keys of each and then with many. Before the rounds every key makes a
 * request, because the first request of a key creates its usage counter.
 */
export async function measureKeyGrowth(bench: Bench): Promise<Comparison<LoadResult>[]> {
  const { settings, system, say } = bench;
  const { keyWorkspaces, fewKeys, manyKeys, stores, connections, seconds } = settings;
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
    return {
      name: `GET store, random keys of ${keysEach * keyWorkspaces}`,
      measure: (forSeconds: number, round: number) =>
        load({ ...to, seconds: forSeconds, requests: randomLookUps(createRandom(round), stores, secretOf) }),
    };
  };
  return [
    await compareUnderLoad(bench, 'GET by many keys', [{ ...contender(fewKeys), goal: keyGoal }, contender(manyKeys)]),
  ];
}
