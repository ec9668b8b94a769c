import { loadCorpus } from './corpus.ts';
import { type LoadResult, load } from './load.ts';
import { createRandom } from './random.ts';
import { randomEnriches, randomLookUps } from './requests.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';

/**
 * Measures GET and enrich of random stores. Both rows use the same corpus, which has all stores. One row asks only for the first stores,
 * whose data fit in the memory of MongoDB. The other row asks for all stores.
 */
export async function measureStoreGrowth(bench: Bench): Promise<Comparison<LoadResult>[]> {
  const { settings, system, secret, say } = bench;
  const { fewStores, manyStores, connections, enrichConnections } = settings;
  say(`Loading ${manyStores} stores …`);
  await loadCorpus(system, manyStores, say);

  /** `goal` is the goal for the rate with random ones of all stores, divided by the rate with random ones of the first stores. */
  const compare = (
    what: string,
    goal: number,
    to: { connections: number; requestsOf: typeof randomLookUps | typeof randomEnriches },
  ) => {
    const contender = (stores: number) => ({
      name: `${what}, random stores of ${stores}`,
      measure: (seconds: number, round: number) =>
        load({
          url: system.apiUrl,
          pids: system.pids,
          headers: {},
          connections: to.connections,
          seconds,
          // Each round has another seed, so that it does not ask for the same stores as an earlier round.
          requests: to.requestsOf(createRandom(round), stores, () => secret),
        }),
    });
    return compareUnderLoad(bench, what, [{ ...contender(fewStores), goal }, contender(manyStores)]);
  };

  return [
    await compare('GET store', 0.75, { connections, requestsOf: randomLookUps }),
    await compare('enrich 100', 0.6, { connections: enrichConnections, requestsOf: randomEnriches }),
  ];
}
