import { resolve } from 'node:path';
import { scenarioNamed, scenarios } from './faults/index.ts';
import type { Scenario } from './faults/scenario.ts';

/** What `npm run faults` can be told. */
export interface FaultSettings {
  scenarios: readonly Scenario[];
  seeds: readonly number[];
  /** Applies the planted bugs to a copy instead, and sees that each is caught. */
  planted: boolean;
  /** Runs again what is recorded. */
  again: boolean;
  /** Says which faults there are, and nothing else. */
  list: boolean;
  /** Writes docs/faults.md from what is recorded, and nothing else. */
  report: boolean;
  stateDir: string;
  cacheDir: string;
  portBase: number;
}

export const usage = `npm run faults -- [--only NAME,…] [--seeds N,…] [--again] [--planted] [--report] [--list]

  --only     these faults instead of the whole table
  --seeds    1,2,3 unless set; a seed reproduces a schedule
  --again    also what is recorded as held, of the present content
  --planted  the planted bugs that show under these faults: each has to be caught
  --report   writes docs/faults.md from the records, and runs nothing
  --list     names of the faults

SHOPSCOPE_LOCAL_DIR, SHOPSCOPE_CACHE_DIR and FAULTS_PORT_BASE (12080) let several run side by side.`;

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
  const [planted, again, names, report, help] = ['--planted', '--again', '--list', '--report', '--help'].map(
    flag,
  ) as boolean[];
  if (help) throw new UsageError(usage);
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is not understood.\n\n${usage}`);
  if (!seeds.every((seed) => Number.isInteger(seed) && seed >= 0)) throw new UsageError('--seeds takes whole numbers');
  const portBase = Number(env.FAULTS_PORT_BASE ?? 12_080);
  if (!Number.isInteger(portBase) || portBase < 1 || portBase > 65_000) {
    throw new UsageError('FAULTS_PORT_BASE must be a port number up to 65000');
  }
  const localDir = resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  return {
    scenarios: only?.map(scenarioNamed) ?? scenarios,
    seeds,
    planted: planted ?? false,
    again: again ?? false,
    list: names ?? false,
    report: report ?? false,
    stateDir: resolve(localDir, `faults-${portBase}`),
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${localDir}/cache`),
    portBase,
  };
}
