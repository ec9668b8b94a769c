import { spawnSync } from 'node:child_process';

export interface Run {
  status: number | null;
  output: string;
}

/** Why the tests with a program of Prometheus are skipped, or undefined when the program is installed. */
export const missing = (program: 'promtool' | 'amtool'): string | undefined =>
  spawnSync(program, ['--version']).error &&
  `${program} is not installed (Debian: package prometheus, prometheus-alertmanager)`;

/** Short programs: collecting less garbage, in one thread, takes a quarter less of the CPU. */
const goSettings = { GOGC: '400', GOMAXPROCS: '1' };

/** Runs a program of Prometheus to its end, in a folder. */
export function run(program: 'promtool' | 'amtool', args: readonly string[], cwd: string): Run {
  const env = { ...process.env, ...goSettings };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 200_000 });
  return { status, output: status === 0 ? '' : `${stdout}${stderr}` };
}
