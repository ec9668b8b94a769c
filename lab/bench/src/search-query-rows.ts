import { callApi } from './list-calls.ts';
import { type Memory, type MemorySample, memoryAt, residentMemory } from './memory.ts';
import { createRandom } from './random.ts';
import { randomWheres } from './random-store-queries.ts';
import { type SearchCalls, timed } from './search-calls.ts';
import type { StoreCorpus } from './store-corpus.ts';
import type { Bench } from './system.ts';

export interface QueryRow {
  name: string;
  ms: number[];
  /** The stores of each page, or the total of each count. */
  stores: number[];
  goal: string;
}

const facets = ['platform', 'country', 'industry', 'status', 'technology', 'category', 'technology:category=email'];
const narrowShare = 0.01;
/** The requests with the same facets after the first one. */
const repetitions = 20;
/** Counts of everything differ in the number of values, so that each of them is the first one of its edition. */
const facetSizes = [10, 11, 12, 13, 14];
const everything = { status: { none: ['not_a_storefront'] } };
const memoryCallers = 4;

/** Measures pages and counts with one caller. All queries are different, so the engine has no response of an earlier one. */
export async function measureQueries(bench: Bench, calls: SearchCalls, corpus: StoreCorpus): Promise<QueryRow[]> {
  const { say, settings } = bench;
  const number = settings.searchQueries;
  const nextOf = (seed: number) => randomWheres(createRandom(seed), corpus);
  say(`${number} queries of each kind …`);
  await repeated(Math.ceil(number / 5), nextOf(9), (where) => calls.page(where));
  const pages = await repeated(number, nextOf(1), (where) => calls.page(where));
  const counts = await repeated(number, nextOf(2), (where) => calls.count(where));
  const withMonths = { facets: [...facets, 'first_observed_month'] };
  const narrow = await repeated(number, nextOf(3), (where) => calls.count(where, withMonths));
  const isNarrow = narrow.map(({ result }) => result.total <= corpus.stores * narrowShare);
  const gateway = await repeated(Math.ceil(number / 5), nextOf(4), (where) =>
    callApi<{ data: unknown[] }>(bench, 'POST', '/v1/stores/search', { where, limit: 50 }),
  );
  const few = narrow.filter((_, at) => isNarrow[at]);
  return [
    row('page of 50, eight clauses', pages, ({ rows }) => rows.length, 'p99 ≤ 300 ms'),
    row('count, eight clauses', counts, ({ total }) => total, 'p99 ≤ 250 ms'),
    row('count, eight facets, at most 1 % of the stores', few, ({ total }) => total, 'p99 ≤ 400 ms'),
    ...(await measureEverything(calls)),
    row('page of 50 through the API', gateway, ({ body }) => body.data.length, ''),
  ];
}

async function measureEverything(calls: SearchCalls): Promise<QueryRow[]> {
  const first: Timed<{ total: number }>[] = [];
  const later: Timed<{ total: number }>[] = [];
  const options = { facets: [...facets, 'technology:category=reviews'] };
  for (const facetSize of facetSizes) {
    first.push(await timed(() => calls.count(everything, { ...options, facetSize })));
    for (let n = 0; n < repetitions; n++)
      later.push(await timed(() => calls.count(everything, { ...options, facetSize })));
  }
  return [
    row('count, eight facets, all stores, first', first, ({ total }) => total, '≤ 5 s'),
    row('the same again', later, ({ total }) => total, '≤ 50 ms'),
  ];
}

interface Timed<Result> {
  ms: number;
  result: Result;
}

function row<Result>(name: string, calls: Timed<Result>[], storesOf: (result: Result) => number, goal: string) {
  return { name, ms: calls.map(({ ms }) => ms), stores: calls.map(({ result }) => storesOf(result)), goal };
}

async function repeated<Result>(number: number, next: () => object, call: (where: object) => Promise<Result>) {
  const found: Timed<Result>[] = [];
  for (let n = 0; n < number; n++) {
    const where = next();
    found.push(await timed(() => call(where)));
  }
  return found;
}

/** Sends many pages by several callers. Resolves to the memory after a tenth of them and at their end. */
export async function measureSearchMemory(
  { system, settings, say }: Bench,
  calls: SearchCalls,
  corpus: StoreCorpus,
): Promise<{ queries: number; first: Memory; last: Memory }> {
  const queries = settings.searchMemoryQueries;
  say(`Memory over ${queries} pages …`);
  const { search = 0, opensearch = 0 } = system.pids;
  const samples: MemorySample[] = [];
  const startMs = performance.now();
  let firstMs = Number.POSITIVE_INFINITY;
  let sent = 0;
  const work = async (caller: number) => {
    const next = randomWheres(createRandom(100 + caller), corpus);
    while (sent < queries) {
      sent += 1;
      await calls.page(next());
      const atMs = performance.now() - startMs;
      if (sent >= queries / 10) firstMs = Math.min(firstMs, atMs);
      if (sent % 20 === 0) samples.push({ atMs, memory: residentMemory({ search, opensearch }) });
    }
  };
  await Promise.all(Array.from({ length: memoryCallers }, (_, caller) => work(caller)));
  return { queries, first: memoryAt(samples, firstMs), last: memoryAt(samples, samples.at(-1)?.atMs ?? 0) };
}
