import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { problemsOf } from './outcome.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';
import { readApiCheckSettings } from './settings.ts';
import { startSystem } from './system.ts';

/**
 * Compares the running API with its openapi.json, by the fuzzer schemathesis with all of its checks. `npm run
 * check:api` sends at least 10,000 requests; `-- --short` is for continuous integration.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const settings = readApiCheckSettings(process.env, process.argv.slice(2));
  const program = installSchemathesis(settings.cacheDir);
  say(`Starting the system … (seed ${settings.seed})`);
  const system = await startSystem(settings, resolve(import.meta.dirname, '../../../..'));
  try {
    const key = await unlimitedKey(system.keysAddress, 'check');
    const newGroup = (kind: string) => createGroup(system.apiUrl, key, kind);
    const groups = { listId: await newGroup('lists'), watchlistId: await newGroup('watchlists') };
    const report = await runSchemathesis(program, { url: system.apiUrl, key, ...groups }, settings);
    const crashes = await system.problems();
    const served = await servedOperations(system.apiUrl);
    const problems = [...crashes, ...problemsOf(report, { ...settings, served })];
    for (const problem of problems) say(`  ${problem}`);
    const { generated = 0, unique_failures: failures = 0 } = report?.test_cases ?? {};
    const ofServed = `${report?.served_cases ?? 0} of served operations`;
    say(
      `check:api: ${generated} cases, ${ofServed}, ${failures} failures, ${problems.length} problems (seed ${settings.seed})`,
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}

/** Stores of the dictionary `known-domains` in schemathesis.toml. */
const knownDomains = ['atelier-sucre.example', 'harbour-books.example', 'shopscope-demo.myshopify.com'];

/** Creates a list or a watchlist with the stores that the fuzzer knows. Returns its id. */
async function createGroup(apiUrl: string, key: string, kind: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await post(`/v1/${kind}`, { name: 'Known stores' });
  await post(`/v1/${kind}/${id}/stores`, { domains: knownDomains });
  return id;
}

/** Served operations with the names of schemathesis (`GET /v1/account`), without the operation of the document itself. */
async function servedOperations(apiUrl: string): Promise<string[]> {
  const documentPath = '/v1/openapi.json';
  const { paths } = (await (await fetch(apiUrl + documentPath)).json()) as {
    paths: Record<string, Record<string, { 'x-served': boolean }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation['x-served'] && path !== documentPath ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
