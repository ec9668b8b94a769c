import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scenarioNamed, scenarios } from './faults/index.ts';

export type FaultSettings = ReturnType<typeof faultSettings>;

const usage = `npm run faults -- [--only NAME,…] [--seeds N,…] [--minutes N] [--again] [--mutants] [--report] [--list]

  --only     runs these faults instead of the whole table
  --seeds    default 1,2,3; a seed reproduces a schedule
  --minutes  starts no run later than this; a later call goes on with the runs that are due
  --again    also repeats runs that are recorded as held
  --mutants  runs the mutants of these faults; each must be caught
  --report   only writes docs/faults.md again, with the current names and promises
  --list     only prints the names of the faults

SHOPSCOPE_LOCAL_DIR, SHOPSCOPE_CACHE_DIR and FAULTS_PORT_BASE (12080) separate benches that run at the same time.`;

export class UsageError extends Error {}

/** Returns the options of `npm run faults`. Throws UsageError for invalid ones. */
export function faultSettings(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]) {
  const { only, help, seeds: seedList, minutes: minutesText, ...flags } = optionsOf(argv);
  const seeds = (seedList ?? '1,2,3').split(',').map(Number);
  if (help) throw new UsageError(usage);
  if (!seeds.every((seed) => Number.isInteger(seed) && seed >= 0)) throw new UsageError('--seeds takes whole numbers');
  const minutes = Number(minutesText ?? Number.POSITIVE_INFINITY);
  if (!(minutes > 0)) throw new UsageError('--minutes takes a number above 0');
  const portBase = Number(env.FAULTS_PORT_BASE ?? 12_080);
  if (!Number.isInteger(portBase) || portBase < 1 || portBase > 65_000) {
    throw new UsageError('FAULTS_PORT_BASE must be a port number up to 65000');
  }
  const localDir = resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  return {
    scenarios: only?.split(',').map(scenarioNamed) ?? scenarios,
    seeds,
    minutes,
    ...flags,
    stateDir: resolve(localDir, `faults-${portBase}`),
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${localDir}/cache`),
    portBase,
  };
}

function optionsOf(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const flags = { mutants: flag, again: flag, list: flag, report: flag, help: flag };
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args: [...argv], options: { ...flags, only: text, seeds: text, minutes: text } }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
}
