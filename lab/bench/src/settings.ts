import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Groups of rows. Each group is measured separately. */
const usualGroups = ['http', 'consume', 'logging', 'public', 'request-log', 'pages', 'neighbours'] as const;
/** Ten minutes. Measured only when asked for, like growth. */
const longGroups = ['scans'] as const;
/** How figures change with size and time. Measured only when asked for, because they take long. */
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
] as const;
export const rowGroups = [...usualGroups, ...longGroups, ...growthGroups] as const;
export type RowGroup = (typeof rowGroups)[number];
/** The keys service refuses more. */
const maxKeysOfWorkspace = 500;
/** The name of all growth groups in `--only`. */
const allGrowth = 'growth';

export type BenchSettings = ReturnType<typeof benchSettings>;

/**
 * Default: all but the growth groups and scans. `--growth`: the growth groups. `--only`: a list of groups, in which `growth` stands for
 * all growth groups. Both: the growth groups of the list.
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
 * Settings of `npm run bench`. Without growth groups and scans the defaults take about six minutes on two shared cores. Throws an error
 * that names the invalid option or variable.
 */
export function benchSettings(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]) {
  const number = (name: string, fallback: number, max = 1_000_000) => {
    const value = Number(env[name] ?? fallback);
    if (!Number.isInteger(value) || value < 1 || value > max)
      throw new Error(`${name} must be a whole number from 1 to ${max}`);
    return value;
  };
  /** Two numbers, of which the first is the smaller one. */
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
  const [firstScans, scans] = range('BENCH_FIRST_SCANS', 1_000, 'BENCH_SCANS', 10_000, 100_000);
  return {
    /** The measured groups of rows. */
    groups: groupsOf(argv),
    /** Duration of each measurement. */
    seconds: number('BENCH_SECONDS', 4),
    /** Load before the first round, so that the processes run compiled code. */
    warmUpSeconds: number('BENCH_WARM_UP_SECONDS', 8),
    /** Number of alternating measurements of each row. */
    rounds: number('BENCH_ROUNDS', 3),
    /** Concurrent connections for single look-ups and for enrich. */
    connections: number('BENCH_CONNECTIONS', 32),
    enrichConnections: number('BENCH_ENRICH_CONNECTIONS', 16),
    /** Stores in the corpus. */
    stores: number('BENCH_STORES', 2_000),
    /** Usage events that wait for consumption, and how often each consumer reads them. */
    events: number('BENCH_EVENTS', 50_000),
    consumeRounds: number('BENCH_CONSUME_ROUNDS', 2),
    /** How long the pages of the dashboard are read. */
    pagesSeconds: number('BENCH_PAGES_SECONDS', 60),
    /** How long the pages of a neighbour are read, alone and beside each attack. */
    neighbourSeconds: number('BENCH_NEIGHBOUR_SECONDS', 20),
    /** The traffic of one workspace is compared with that of so many. */
    manyWorkspaces: number('BENCH_MANY_WORKSPACES', 1_000),
    /** Random stores of the first `fewStores` of the corpus are compared with random stores of the first `manyStores`. */
    fewStores,
    manyStores,
    /** The traffic of `fewKeys` keys of each of `keyWorkspaces` workspaces is compared with that of `manyKeys` keys of each. */
    keyWorkspaces: number('BENCH_KEY_WORKSPACES', 200),
    fewKeys,
    manyKeys,
    /** Past entries of the ledgers that are compared. */
    fewEntries,
    manyEntries,
    /** The memory of the processes after `memorySeconds` of load is compared with that after `memoryFirstSeconds`. */
    memorySeconds,
    memoryFirstSeconds,
    /** Scans of the row about scans. The memory after all of them is compared with that after the first `firstScans`. */
    scans,
    firstScans,
    /** Generated signals, the stores that have them, and the searches that are followed over their pages. */
    signals: number('BENCH_SIGNALS', 10_000_000, 100_000_000),
    signalStores: number('BENCH_SIGNAL_STORES', 1_000_000, 10_000_000),
    signalWalks: number('BENCH_SIGNAL_WALKS', 200, 100_000),
    // The half of 8 GiB less one, as MongoDB takes it by default on the machine that docs/install.md recommends.
    signalCacheMegabytes: number('BENCH_SIGNAL_CACHE_MB', 3_584),
    stateDir: resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'bench'),
    portBase: number('BENCH_PORT_BASE', 28_080),
  };
}
