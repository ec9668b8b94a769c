import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownData } from './known-data.ts';
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

/** Runs the program to its end, prints its output and returns its report with the counts of hooks.py. */
export async function runSchemathesis(
  program: string,
  api: { url: string; key: string; testKey: string; known: KnownData },
  settings: ApiCheckSettings,
): Promise<Report | undefined> {
  const report = join(settings.stateDir, 'schemathesis.json');
  const servedFile = join(settings.stateDir, 'served-cases');
  const { seed, examplesPerOperation, phases } = settings;
  const options = { seed, 'max-examples': examplesPerOperation, phases, 'report-json-path': report };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  if (settings.operations) given.push(`--include-by=${settings.operations}`);
  const config = ['--config-file', join(folder, 'schemathesis.toml')];
  const child = spawn(program, [...config, 'run', `${api.url}/v1/openapi.json`, '--report=json', ...given], {
    // schemathesis loads the hooks from this folder.
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      SHOPSCOPE_CHECK_KEY: api.key,
      SHOPSCOPE_CHECK_TEST_KEY: api.testKey,
      SHOPSCOPE_CHECK_LIST_ID: api.known.listId,
      SHOPSCOPE_CHECK_WATCHLIST_ID: api.known.watchlistId,
      SHOPSCOPE_CHECK_WEBHOOK_ID: api.known.webhookId,
      SHOPSCOPE_CHECK_RECEIVER_URL: api.known.receiverUrl,
      SHOPSCOPE_CHECK_DELIVERY_ID: api.known.deliveryId,
      SHOPSCOPE_CHECK_SERVED_FILE: servedFile,
      PYTHONDONTWRITEBYTECODE: '1',
      HYPOTHESIS_STORAGE_DIRECTORY: join(settings.stateDir, 'hypothesis'),
    },
    timeout: settings.timeoutMs,
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (!existsSync(report) || !existsSync(servedFile)) return undefined;
  return { ...JSON.parse(readFileSync(report, 'utf8')), served_cases: Number(readFileSync(servedFile, 'utf8')) };
}
