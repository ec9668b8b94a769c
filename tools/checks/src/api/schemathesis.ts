import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './outcome.ts';
import type { ApiCheckSettings } from './settings.ts';

const folder = join(import.meta.dirname, '../../schemathesis');

/**
 * Installs the program once into a virtual environment that is named by its requirements, with hash checks. Throws one
 * sentence with the remedy when Python or the package index is unavailable.
 */
export function installSchemathesis(cacheDir: string): string {
  const requirements = join(folder, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const environment = join(cacheDir, `schemathesis-${digest}`);
  const done = join(environment, 'installed');
  if (!existsSync(done)) {
    rmSync(environment, { recursive: true, force: true });
    mkdirSync(cacheDir, { recursive: true });
    python('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11), "this is " + sys.version']);
    python('python3', ['-m', 'venv', environment]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    const pinned = ['--require-hashes', '--only-binary', ':all:', '--requirement', requirements];
    python(join(environment, 'bin/python'), ['-m', 'pip', 'install', ...quiet, ...pinned]);
    writeFileSync(done, '');
  }
  return join(environment, 'bin/schemathesis');
}

function python(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  const said = error?.message ?? stderr.trim().split('\n').at(-1);
  throw new Error(
    'schemathesis could not be installed: it needs python3 (3.11 or newer, with venv) and a way to PyPI; set ' +
      `PIP_INDEX_URL when you have a mirror, and run this again. It said: ${said}`,
  );
}

/** One run of the program. */
export interface Run {
  /** Names the files of the run. */
  name: string;
  /** The file with its settings, in the folder of the hooks. */
  config: string;
  /** The URL of the API's description. */
  target: string;
  options: Readonly<Record<string, string | number>>;
  env: Readonly<Record<string, string>>;
}

/** Runs the program to its end, prints its output and returns its report with the counts of the hooks. */
export async function runSchemathesis(
  program: string,
  run: Run,
  settings: Pick<ApiCheckSettings, 'seed' | 'stateDir' | 'timeoutMs'>,
): Promise<Report | undefined> {
  const { seed, stateDir, timeoutMs } = settings;
  const report = join(stateDir, `${run.name}.json`);
  const servedFile = join(stateDir, `${run.name}-served-cases`);
  const options = { ...run.options, seed, 'report-json-path': report };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const config = ['--config-file', join(folder, run.config)];
  const child = spawn(program, [...config, 'run', run.target, '--report=json', ...given], {
    // schemathesis loads the hooks from this folder.
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...run.env,
      SHOPSCOPE_CHECK_SERVED_FILE: servedFile,
      PYTHONDONTWRITEBYTECODE: '1',
      HYPOTHESIS_STORAGE_DIRECTORY: join(stateDir, 'hypothesis'),
    },
    timeout: timeoutMs,
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (!existsSync(report) || !existsSync(servedFile)) return undefined;
  return { ...JSON.parse(readFileSync(report, 'utf8')), served_cases: Number(readFileSync(servedFile, 'utf8')) };
}
