import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startLocalProcess, unlimitedKey } from '@shopscope/local';
import { createApi } from './api.ts';
import { checkExecutions, checkUsage } from './executions.ts';
import { installN8n, unpackNodes } from './install.ts';
import { openN8n } from './n8n.ts';
import { startPostgres } from './postgres.ts';
import { startProxy } from './proxy.ts';
import { checkTriggers } from './triggers.ts';

/**
 * `npm run check:n8n`: lints and builds packages/n8n-nodes-shopscope, and runs its workflows in a real n8n against the whole system.
 * n8n is installed once into the cache (2.9 GB). PostgreSQL is the package of Debian.
 */
const root = resolve(import.meta.dirname, '../../../..');
const portBase = 26_080;
const say = (line: string) => process.stdout.write(`${line}\n`);
const stops: (() => Promise<void>)[] = [];

async function main(): Promise<void> {
  const localDir = resolve(process.env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  const stateDir = join(localDir, 'n8n');
  const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? join(localDir, 'cache'));
  const clear = () => rmSync(stateDir, { recursive: true, force: true });
  clear();
  const program = await installN8n(cacheDir);
  const n8nDir = join(stateDir, 'n8n');
  await unpackNodes(root, join(n8nDir, '.n8n/custom'));
  say('the lint of n8n has no finding, and the package is built');
  const postgres = await startPostgres(stateDir);
  stops.push(postgres.stop);
  const system = await startLocalProcess({
    root,
    stateDir: join(stateDir, 'system'),
    cacheDir,
    portBase,
    env: process.env,
  });
  stops.push(() => {
    system.end();
    return system.exited;
  });
  const apiUrl = system.ready.api.base_url;
  const proxy = await startProxy(apiUrl);
  stops.push(proxy.stop);
  const key = await unlimitedKey(system.keysAddress, 'n8n');
  const n8n = await openN8n({ program, stateDir: n8nDir, postgresPort: postgres.port });
  const subject = { n8n, api: createApi(apiUrl, key), proxy, key, domains: system.ready.demo_domains, say };
  const lookups = await checkExecutions(subject);
  await checkTriggers(subject);
  // Minutes after the last look-up, the usage is complete.
  await checkUsage(subject.api, lookups);
  say(`usage: ${lookups} look-ups, so each item was billed once`);
}

try {
  await main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
} finally {
  for (const stop of stops.reverse()) await stop();
}
