import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The groups of rows that are measured by default. Each group is measured separately. */
const usualGroups = [
  'http',
  'documents',
  'beside-documents',
  'consume',
  'logging',
  'public',
  'request-log',
  'pages',
  'neighbours',
] as const;
/** These groups take minutes. They are measured only if `--only` names them. */
const longGroups = ['scans', 'fan-out', 'jobs', 'webhooks', 'search'] as const;
/** These groups show how figures change with size and time. They take long, so they are measured only with `--growth` or `--only`. */
export const growthGroups = [
  // First, because the memory of processes that have worked for long grows less.
  'growth-memory',
  'growth-workspaces',
  'growth-keys',
  'growth-events',
  'growth-ledger',
  'growth-latency',
  'growth-stores',
  'growth-signals',
  'growth-lists',
] as const;
export const rowGroups = [...usualGroups, ...longGroups, ...growthGroups] as const;
export type RowGroup = (typeof rowGroups)[number];
/** The keys service accepts no more keys in a workspace. */
const maxKeysOfWorkspace = 500;
/** In `--only`, this name stands for all growth groups. */
const allGrowth = 'growth';

export type BenchSettings = ReturnType<typeof benchSettings>;

/**
 * Without options it returns all groups except the growth groups and scans; with `--growth`, the growth groups. `--only` is a list of groups,
 * in which `growth` stands for all growth groups. With both options it returns the growth groups of the list.
 */
function groupsOf(argv: readonly string[]): RowGroup[] {
  const options = { growth: { type: 'boolean' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...argv], options });
  const selectable: readonly RowGroup[] = values.growth ? growthGroups : rowGroups;
  if (values.only === undefined) return values.growth ? [...growthGroups] : [...usualGroups];
  const only = values.only.split(',').flatMap((name) => (name === allGrowth ? growthGroups : [name]));
  const unknown = only.filter((name) => !selectable.some((group) => name === group));
  if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} is not one of ${selectable.join(', ')}`);
  return selectable.filter((group) => only.includes(group));
}

/**
 * Returns the settings of `npm run bench`. With the defaults a run takes more than ten minutes, eight of them for the group `neighbours`.
 * Throws an error that names the invalid option or variable.
 */
export function benchSettings(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]) {
  const number = (name: string, fallback: number, max = 1_000_000) => {
    const value = Number(env[name] ?? fallback);
    if (!Number.isInteger(value) || value < 1 || value > max)
      throw new Error(`${name} must be a whole number from 1 to ${max}`);
    return value;
  };
  /** Reads two numbers, of which the first must be the smaller one. */
  const range = (lowName: string, low: number, highName: string, high: number, max?: number) => {
    const [first, second] = [number(lowName, low, max), number(highName, high, max)];
    if (first >= second) throw new Error(`${lowName} must be below ${highName}`);
    return [first, second] as const;
  };
  const [fewStores, manyStores] = range('BENCH_FEW_STORES', 10_000, 'BENCH_MANY_STORES', 1_000_000, 10_000_000);
  const [fewKeys, manyKeys] = range('BENCH_FEW_KEYS', 5, 'BENCH_MANY_KEYS', 500, maxKeysOfWorkspace);
  const [fewEntries, manyEntries] = range(
    ...(['BENCH_FEW_ENTRIES', 100_000, 'BENCH_MANY_ENTRIES', 10_000_000, 100_000_000] as const),
  );
  const [memoryFirstSeconds, memorySeconds] = range('BENCH_MEMORY_FIRST_SECONDS', 60, 'BENCH_MEMORY_SECONDS', 600);
  const [jobStores, manyJobStores] = range('BENCH_JOB_STORES', 10_000, 'BENCH_MANY_JOB_STORES', 100_000, 250_000);
  const [firstScans, scans] = range('BENCH_FIRST_SCANS', 1_000, 'BENCH_SCANS', 10_000, 100_000);
  const [fewDeliveries, manyDeliveries] = range(
    ...(['BENCH_FEW_DELIVERIES', 1_000, 'BENCH_MANY_DELIVERIES', 1_000_000, 10_000_000] as const),
  );
  return {
    /** The measured groups of rows. */
    groups: groupsOf(argv),
    /** The duration of each measurement. */
    seconds: number('BENCH_SECONDS', 4),
    /** The duration of the load before the first round. The processes then run compiled code. */
    warmUpSeconds: number('BENCH_WARM_UP_SECONDS', 8),
    /** The number of alternating measurements of each row. */
    rounds: number('BENCH_ROUNDS', 3),
    /** The number of concurrent connections for single look-ups. */
    connections: number('BENCH_CONNECTIONS', 32),
    /** The number of concurrent connections for enrich. */
    enrichConnections: number('BENCH_ENRICH_CONNECTIONS', 16),
    /** The number of stores in the corpus. */
    stores: number('BENCH_STORES', 2_000),
    /** The number of usage events that wait for consumption. */
    events: number('BENCH_EVENTS', 50_000),
    /** How often each consumer reads these events. */
    consumeRounds: number('BENCH_CONSUME_ROUNDS', 2),
    /** How long the pages of the dashboard are read. */
    pagesSeconds: number('BENCH_PAGES_SECONDS', 60),
    /** How long the pages of a neighbour are read, once alone and once beside each attack. */
    neighbourSeconds: number('BENCH_NEIGHBOUR_SECONDS', 20),
    /** The traffic of one workspace is compared with the traffic of this many. */
    manyWorkspaces: number('BENCH_MANY_WORKSPACES', 1_000),
    /** Random stores of the first `fewStores` of the corpus are compared with random stores of the first `manyStores`. */
    fewStores,
    manyStores,
    /** The traffic of `fewKeys` keys of each of `keyWorkspaces` workspaces is compared with that of `manyKeys` keys of each. */
    keyWorkspaces: number('BENCH_KEY_WORKSPACES', 200),
    fewKeys,
    manyKeys,
    /** A ledger with `fewEntries` past entries is compared with one with `manyEntries`. */
    fewEntries,
    manyEntries,
    /** The memory of the processes after `memorySeconds` of load is compared with their memory after `memoryFirstSeconds`. */
    memorySeconds,
    memoryFirstSeconds,
    /** The number of scans. The memory of the scanner after all of them is compared with its memory after the first `firstScans`. */
    scans,
    firstScans,
    /** The number of workspaces that watch one store. */
    fanOutWorkspaces: number('BENCH_FAN_OUT_WORKSPACES', 10_000, 100_000),
    /** One instance of subscriptions is measured, and this number of instances. */
    fanOutInstances: number('BENCH_FAN_OUT_INSTANCES', 2, 16),
    /** The number of stores that one workspace watches. */
    watchedStores: number('BENCH_WATCHED_STORES', 250_000),
    /** The number of signals whose rate is measured. */
    fanOutSignals: number('BENCH_FAN_OUT_SIGNALS', 20_000),
    /** The numbers of stores of an enrichment: of one beside look-ups, and of a large one whose memory is measured. */
    jobStores,
    manyJobStores,
    /** The number of deliveries whose rate is measured. */
    webhookDeliveries: number('BENCH_WEBHOOK_DELIVERIES', 20_000),
    /** The number of deliveries that wait for an endpoint that hangs. */
    hangingDeliveries: number('BENCH_HANGING_DELIVERIES', 100_000),
    /** The search for due deliveries of an endpoint with `fewDeliveries` is compared with that of one with `manyDeliveries`. */
    fewDeliveries,
    manyDeliveries,
    /** The number of stores in the lists of one workspace. */
    listStores: number('BENCH_LIST_STORES', 2_500_000, 10_000_000),
    /** The number of generated signals. */
    signals: number('BENCH_SIGNALS', 10_000_000, 100_000_000),
    /** The number of stores that have the generated signals. */
    signalStores: number('BENCH_SIGNAL_STORES', 1_000_000, 10_000_000),
    /** The number of searches whose pages are read one after the other. */
    signalWalks: number('BENCH_SIGNAL_WALKS', 200, 100_000),
    // MongoDB takes half of the memory minus 1 GiB by default. The machine that docs/install.md recommends has 8 GiB.
    signalCacheMegabytes: number('BENCH_SIGNAL_CACHE_MB', 3_584),
    /** The number of generated stores that searches find. */
    searchStores: number('BENCH_SEARCH_STORES', 100_000, 10_000_000),
    /** The number of stores whose documents are compared with those of merged stores. */
    searchObservedStores: number('BENCH_SEARCH_OBSERVED_STORES', 10_000),
    /** The numbers of queries of each kind, and of those over which the memory is measured. */
    searchQueries: number('BENCH_SEARCH_QUERIES', 1_000),
    searchMemoryQueries: number('BENCH_SEARCH_MEMORY_QUERIES', 10_000),
    /** The number of merges per second whose delay is measured, and for how long. */
    searchMerges: number('BENCH_SEARCH_MERGES', 200),
    searchMergeSeconds: number('BENCH_SEARCH_MERGE_SECONDS', 60),
    /** The number of rows of a walk, and of the stores that are merged meanwhile. */
    searchWalkRows: number('BENCH_SEARCH_WALK_ROWS', 100_000),
    searchWalkMerges: number('BENCH_SEARCH_WALK_MERGES', 100_000),
    /** The number of callers of the costliest call at the same time: the plan `free` allows as many. */
    searchAttackers: number('BENCH_SEARCH_ATTACKERS', 2, 100),
    stateDir: resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'bench'),
    portBase: number('BENCH_PORT_BASE', 28_080),
  };
}
