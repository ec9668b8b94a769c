import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalStackError } from '@shopscope/local-stack';
import { serviceNames } from './ports.ts';

const timeoutMs = 120_000;
const run = promisify(execFile);

/** Runs the migration of each service, as in production, where services may not change the schema. */
export async function migrateServices(
  root: string,
  migrationOf: (service: string) => Record<string, string>,
  abort: AbortSignal,
): Promise<void> {
  for (const service of serviceNames) {
    const entry = join(root, 'services', service, 'dist/main.js');
    const env = { SHOPSCOPE_ENV: 'development', LOG_LEVEL: 'warn', ...migrationOf(service) };
    await run(process.execPath, [entry, '--migrate'], { env, timeout: timeoutMs, signal: abort }).catch((error) => {
      throw new LocalStackError(`The migration of ${service} failed: ${error.stdout || error.stderr || error.message}`);
    });
  }
}
