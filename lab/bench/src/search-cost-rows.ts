import { setTimeout as sleep } from 'node:timers/promises';
import { type CostlyCall, costliestCalls } from './costliest-store-queries.ts';
import { cpuTimes } from './cpu.ts';
import { createRandom } from './random.ts';
import { randomWheres } from './random-store-queries.ts';
import { createSearchCalls, type SearchCalls, timed } from './search-calls.ts';
import { median, percentile, sum } from './statistics.ts';
import type { StoreCorpus } from './store-corpus.ts';
import type { Bench } from './system.ts';

export const costGoals = { cpuSeconds: 2, p99: 2 };

export interface CostRow {
  name: string;
  /** The CPU time of all processes, of the costliest of some calls. */
  cpuSeconds: number;
  ms: number;
  total: number;
}

export interface SearchNeighbours {
  attack: string;
  callers: number;
  /** The p99 of each round in ms. */
  alone: number[];
  beside: number[];
  /** The calls of the attack. */
  calls: number;
  /** Searches of others that failed. */
  failures: number;
}

export interface CostResult {
  costs: CostRow[];
  neighbours: SearchNeighbours;
}

const repetitions = 3;
const searchesPerSecond = 5;
/** Search bounds the searches of one workspace at the same time. */
const neighbours = 20;
const longestCallMs = 60_000;

/** Measures the CPU time of the costliest calls, and the searches of another workspace beside the costliest one of them. */
export async function measureCosts(bench: Bench, calls: SearchCalls, corpus: StoreCorpus): Promise<CostResult> {
  bench.say('The costliest calls …');
  const costs: CostRow[] = [];
  for (const each of costliestCalls) costs.push(await costOf(bench, calls, each));
  const worst = costs.reduce(
    (most, each, at) => (each.cpuSeconds > (costs[most] as CostRow).cpuSeconds ? at : most),
    0,
  );
  return { costs, neighbours: await measureNeighbour(bench, calls, corpus, costliestCalls[worst] as CostlyCall) };
}

const send = async (calls: SearchCalls, { where, facets, facetSize = 10, lists = [] }: CostlyCall): Promise<number> => {
  if (!facets) return (await calls.page(where, { limit: 200, lists })).rows.length;
  return (await calls.count(where, { facets, facetSize, lists })).total;
};

/** Every call differs in the number of values, so that the engine has no response of an earlier one. */
let calledBefore = 0;
const another = (call: CostlyCall): CostlyCall => {
  calledBefore += 1;
  const from = new Date(Date.UTC(2019, 0, 1) - calledBefore * 86_400_000).toISOString();
  return { ...call, where: { ...call.where, last_completed_scan: { from } } };
};

async function costOf({ system }: Bench, calls: SearchCalls, call: CostlyCall): Promise<CostRow> {
  let worst: CostRow = { name: call.name, cpuSeconds: 0, ms: 0, total: 0 };
  for (let n = 0; n < repetitions; n++) {
    const before = sum(Object.values(cpuTimes(system.pids)));
    const { ms, result: total } = await timed(() => send(calls, another(call)));
    const cpuSeconds = (sum(Object.values(cpuTimes(system.pids))) - before) / 1_000_000;
    if (cpuSeconds > worst.cpuSeconds) worst = { name: call.name, cpuSeconds, ms, total };
  }
  return worst;
}

async function measureNeighbour(
  { settings, system, say }: Bench,
  calls: SearchCalls,
  corpus: StoreCorpus,
  attack: CostlyCall,
): Promise<SearchNeighbours> {
  const { neighbourSeconds: seconds, rounds, searchAttackers: callers } = settings;
  const attacker = createSearchCalls(system.addresses.SEARCH_ADDRESS, 'ws_attacker');
  const rows: SearchNeighbours = { attack: attack.name, callers, alone: [], beside: [], calls: 0, failures: 0 };
  for (let round = 1; round <= rounds; round++) {
    say(`Searches alone and beside the costliest call, round ${round} of ${rounds} …`);
    const search = async () => {
      const { ms, failures } = await steadySearches(calls, corpus, { seconds, seed: round });
      rows.failures += failures;
      return percentile(ms, 0.99);
    };
    rows.alone.push(await search());
    let isOver = false;
    const attacking = Array.from({ length: callers }, async () => {
      while (!isOver) {
        await send(attacker, another(attack)).catch(() => {});
        rows.calls += 1;
      }
    });
    try {
      rows.beside.push(await search());
    } finally {
      isOver = true;
      await Promise.race([Promise.all(attacking), sleep(longestCallMs, undefined, { ref: false })]);
    }
  }
  attacker.close();
  return rows;
}

/** Sends pages of several workspaces at an even rate. A latency counts from the planned time. */
async function steadySearches(
  calls: SearchCalls,
  corpus: StoreCorpus,
  { seconds, seed }: { seconds: number; seed: number },
): Promise<{ ms: number[]; failures: number }> {
  const next = randomWheres(createRandom(1_000 + seed), corpus);
  const wheres = Array.from({ length: seconds * searchesPerSecond }, next);
  const ms: number[] = [];
  let failures = 0;
  const startMs = performance.now();
  const sent = wheres.map(async (where, n) => {
    const plannedMs = startMs + (n * 1_000) / searchesPerSecond;
    await sleep(Math.max(0, plannedMs - performance.now()));
    const workspaceId = `ws_neighbour${n % neighbours}`;
    await calls.page(where, { workspaceId }).catch(() => {
      failures += 1;
    });
    ms.push(performance.now() - plannedMs);
  });
  await Promise.all(sent);
  return { ms, failures };
}

/** Returns the median of the rounds. */
export const neighbourRatio = ({ alone, beside }: SearchNeighbours): number =>
  median(beside.map((ms, round) => ms / (alone[round] as number)));
