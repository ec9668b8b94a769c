import { resolve } from 'node:path';

/** Groups of rows. Each group is measured separately. */
export const rowGroups = ['http', 'consume', 'logging', 'request-log', 'public', 'pages'] as const;
export type RowGroup = (typeof rowGroups)[number];

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

export function benchSettings(env: Readonly<Record<string, string | undefined>>): BenchSettings {
  const number = (name: string, fallback: number) => {
    const value = Number(env[name] ?? fallback);
    if (!Number.isInteger(value) || value < 1 || value > 1_000_000)
      throw new Error(`${name} must be a whole number above 0`);
    return value;
  };
  const groups = (env.BENCH_ROWS ?? rowGroups.join(',')).split(',') as RowGroup[];
  if (!groups.every((group) => rowGroups.includes(group))) {
    throw new Error(`BENCH_ROWS must be a list of ${rowGroups.join(', ')}`);
  }
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
