import { resolve } from 'node:path';
import { scenarioNamed, scenarios } from './faults/index.ts';
import type { Scenario } from './faults/scenario.ts';

/** Options of `npm run faults`. */
export interface FaultSettings {
  scenarios: readonly Scenario[];
  seeds: readonly number[];
  /** Runs the mutants instead of the table, and checks that each is caught. */
  mutants: boolean;
  /** Also repeats runs that are recorded as held. */
  again: boolean;
  /** Only prints the names of the faults. */
  list: boolean;
  /** Only writes docs/faults.md again. */
  report: boolean;
  stateDir: string;
  cacheDir: string;
  portBase: number;
}

export const usage = `npm run faults -- [--only NAME,…] [--seeds N,…] [--again] [--mutants] [--report] [--list]

  --only     runs these faults instead of the whole table
  --seeds    default 1,2,3; a seed reproduces a schedule
  --again    also repeats runs that are recorded as held
  --mutants  runs the mutants of these faults; each must be caught
  --report   only writes docs/faults.md again, with the present names and promises
  --list     only prints the names of the faults

SHOPSCOPE_LOCAL_DIR, SHOPSCOPE_CACHE_DIR and FAULTS_PORT_BASE (12080) separate benches that run at the same time.`;

export class UsageError extends Error {}

export function faultSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): FaultSettings {
  const rest = [...argv];
  const flag = (name: string) => {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  };
  const list = (name: string) => {
    const at = rest.indexOf(name);
    return at < 0 ? undefined : rest.splice(at, 2)[1]?.split(',');
  };
  const only = list('--only');
  const seeds = (list('--seeds') ?? ['1', '2', '3']).map(Number);
  const [mutants, again, names, report, help] = ['--mutants', '--again', '--list', '--report', '--help'].map(
    flag,
  ) as boolean[];
  if (help) throw new UsageError(usage);
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is not an option.\n\n${usage}`);
  if (!seeds.every((seed) => Number.isInteger(seed) && seed >= 0)) throw new UsageError('--seeds takes whole numbers');
  const portBase = Number(env.FAULTS_PORT_BASE ?? 12_080);
  if (!Number.isInteger(portBase) || portBase < 1 || portBase > 65_000) {
    throw new UsageError('FAULTS_PORT_BASE must be a port number up to 65000');
  }
  const localDir = resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  return {
    scenarios: only?.map(scenarioNamed) ?? scenarios,
    seeds,
    mutants: mutants ?? false,
    again: again ?? false,
    list: names ?? false,
    report: report ?? false,
    stateDir: resolve(localDir, `faults-${portBase}`),
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${localDir}/cache`),
    portBase,
  };
}
