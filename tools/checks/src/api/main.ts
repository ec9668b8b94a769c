import { resolve } from 'node:path';
import { checkApi } from './check-api.ts';
import { readApiCheckSettings } from './settings.ts';
import { startSystem } from './system.ts';

/**
 * Checks the API on a system of its own. `npm run check:api` sends at least 10,000 requests; the test of `npm start` sends those of
 * `-- --short` to its own system.
 */
async function main(): Promise<number> {
  const settings = readApiCheckSettings(process.env, process.argv.slice(2));
  const system = await startSystem(settings, resolve(import.meta.dirname, '../../../..'));
  try {
    const problems = await checkApi(system, settings);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
