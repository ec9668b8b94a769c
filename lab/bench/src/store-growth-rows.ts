import type { Request } from 'autocannon';
import { loadCorpus } from './corpus.ts';
import type { Comparison } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { createRandom, type Random } from './random.ts';
import { randomEnriches, randomLookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';
import { takeTurns } from './turns.ts';

/** Least rate with random stores of all, divided by the rate with random stores of the first ones. */
const getGoal = 0.75;
const enrichGoal = 0.6;

/**
 * Measures GET and enrich of random stores. Both rows use the same corpus, which has all stores: one row asks for the
 * first stores only, so its data fit in the memory of MongoDB, and one row asks for all.
 */
export async function measureStoreGrowth(
  settings: BenchSettings,
  system: RunningSystem,
  secret: string,
  say: (line: string) => void,
): Promise<Comparison<LoadResult>[]> {
  const { fewStores, manyStores, seconds, warmUpSeconds, rounds } = settings;
  say(`Loading ${manyStores} stores …`);
  await loadCorpus(system, manyStores, say);

  const compare = async (
    what: string,
    goal: number,
    connections: number,
    requestsOf: (random: Random, stores: number) => () => Request,
  ) => {
    const contender = (stores: number) => {
      const measure = (seed: number, forSeconds: number) =>
        load({
          ...{ url: system.apiUrl, pids: system.pids, headers: {}, connections, seconds: forSeconds },
          // Another seed in each round, so that no round asks for the stores of an earlier one.
          requests: requestsOf(createRandom(seed), stores),
        });
      return {
        name: `${what}, random stores of ${stores}`,
        measure: (round: number) => measure(round, seconds),
        warmUp: () => measure(0, warmUpSeconds),
      };
    };
    const few = { ...contender(fewStores), goal };
    const many = contender(manyStores);
    for (const { warmUp } of [few, many]) await warmUp();
    return takeTurns([few, many], rounds, (round) => say(`${what}, round ${round} of ${rounds} …`));
  };

  return [
    await compare('GET store', getGoal, settings.connections, (random, stores) =>
      randomLookUps(random, stores, () => secret),
    ),
    await compare('enrich 100', enrichGoal, settings.enrichConnections, (random, stores) =>
      randomEnriches(random, stores, secret),
    ),
  ];
}
