import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the Python package. */
export const folder = join(import.meta.dirname, '..');

export interface Python {
  /** The interpreter. */
  path: string;
  /** Runs `python -m MODULE ...` in the folder of the package. Rejects with the output when it fails. */
  run(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** As {@link run}, in another folder. */
  runIn(cwd: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
}

const installTimeoutMs = 200_000;
/** This is shorter than the time limits of the tests, so that a failed test shows the output of a run that hangs. */
const runTimeoutMs = 170_000;

/**
 * A virtual environment with the packages of requirements.txt, which is made once and named by them and by the version of
 * Python.
 *
 * - There is no Python 3.10 with venv, or the packages cannot be installed -> a sentence that says why.
 * - With CI=true -> throws that sentence.
 */
export function findPython(env: NodeJS.ProcessEnv = process.env): Python | string {
  const cacheDir = resolve(env.SHOPSCOPE_CACHE_DIR ?? join(env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'cache'));
  try {
    return pythonOf(install(cacheDir), cacheDir);
  } catch (error) {
    if (env.CI) throw error;
    return (error as Error).message;
  }
}

function install(cacheDir: string): string {
  const requirements = join(folder, 'requirements.txt');
  const version = call('python3', [
    '-c',
    'import ensurepip, sys, venv; assert sys.version_info >= (3, 10), sys.version; print(sys.version)',
  ]);
  const digest = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const environment = join(cacheDir, `client-python-${digest}`);
  if (existsSync(environment)) return environment;
  // Other runs may install at the same time, so an environment gets its name only when it is complete.
  const unfinished = `${environment}.${process.pid}`;
  mkdirSync(cacheDir, { recursive: true });
  try {
    call('python3', ['-m', 'venv', unfinished]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    const pinned = ['--require-hashes', '--only-binary', ':all:', '--requirement', requirements];
    call(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', ...quiet, ...pinned]);
    if (!existsSync(environment)) renameSync(unfinished, environment);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return environment;
}

function call(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: installTimeoutMs });
  if (status === 0) return stdout;
  const said = error?.message ?? stderr.trim().split('\n').at(-1);
  throw new Error(
    'the Python client needs python3 (3.10 or newer, with venv) and a way to PyPI; set PIP_INDEX_URL when you have a ' +
      `mirror. It said: ${said}`,
  );
}

function pythonOf(environment: string, cacheDir: string): Python {
  // Nothing is written into the folder of the sources.
  const caches = {
    MYPY_CACHE_DIR: join(cacheDir, 'client-python-mypy'),
    PYTHONDONTWRITEBYTECODE: '1',
    RUFF_NO_CACHE: 'true',
  };
  const path = join(environment, 'bin/python');
  const runIn: Python['runIn'] = (cwd, args, env = {}) =>
    new Promise((done, fail) => {
      const maxBuffer = 32 * 1024 * 1024;
      const options = { cwd, env: { ...process.env, ...caches, ...env }, timeout: runTimeoutMs, maxBuffer };
      execFile(path, ['-m', ...args], options, (error, stdout, stderr) =>
        error ? fail(new Error(`python -m ${args.join(' ')} failed:\n${stdout}${stderr}`)) : done(stdout),
      );
    });
  return { path, run: (args, env) => runIn(folder, args, env), runIn };
}
