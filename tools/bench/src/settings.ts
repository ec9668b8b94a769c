import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Groups of rows. Each group is measured separately. */
export const rowGroups = ['http', 'consume', 'logging', 'request-log', 'public', 'pages', 'growth'] as const;
export type RowGroup = (typeof rowGroups)[number];
/** Measured only when asked for: they take several minutes. */
const onRequest: readonly RowGroup[] = ['growth'];

/** Settings of `npm run bench`. The defaults fit two shared cores and take about six minutes. */
export interface BenchSettings {
  /** The measured groups of rows. */
  groups: readonly RowGroup[];
  /** Duration of each measurement, in seconds. */
  seconds: number;
  /** Load before the first round, in seconds, so that the processes run compiled code. */
  warmUpSeconds: number;
  /** Number of alternating measurements of each row. */
  rounds: number;
  /** Concurrent connections for single look-ups and for enrich. */
  connections: number;
  enrichConnections: number;
  /** Stores in the corpus. */
  stores: number;
  /** Usage events that wait for consumption, and how often each consumer reads them. */
  events: number;
  consumeRounds: number;
  /** How long the pages of the dashboard are read, in seconds. */
  pagesSeconds: number;
  stateDir: string;
  portBase: number;
}

/** `--growth` measures how figures change with size. `--only` takes a list of groups. Default: all but growth. */
function groupsOf(argv: readonly string[]): RowGroup[] {
  const options = { growth: { type: 'boolean' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...argv], options });
  if (values.growth) return [...onRequest];
  if (values.only === undefined) return rowGroups.filter((group) => !onRequest.includes(group));
  const only = values.only.split(',');
  const unknown = only.filter((group) => !rowGroups.some((known) => known === group));
  if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} is not one of ${rowGroups.join(', ')}`);
  return rowGroups.filter((group) => only.includes(group));
}

/** Throws an error that names the invalid option or variable. */
export function benchSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): BenchSettings {
  const number = (name: string, fallback: number) => {
    const value = Number(env[name] ?? fallback);
    if (!Number.isInteger(value) || value < 1 || value > 1_000_000)
      throw new Error(`${name} must be a whole number above 0`);
    return value;
  };
  const groups = groupsOf(argv);
  return {
    groups,
    seconds: number('BENCH_SECONDS', 4),
    warmUpSeconds: number('BENCH_WARM_UP_SECONDS', 8),
    rounds: number('BENCH_ROUNDS', 3),
    connections: number('BENCH_CONNECTIONS', 32),
    enrichConnections: number('BENCH_ENRICH_CONNECTIONS', 16),
    stores: number('BENCH_STORES', 2_000),
    events: number('BENCH_EVENTS', 50_000),
    consumeRounds: number('BENCH_CONSUME_ROUNDS', 2),
    pagesSeconds: number('BENCH_PAGES_SECONDS', 60),
    stateDir: resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'bench'),
    portBase: number('BENCH_PORT_BASE', 28_080),
  };
}
