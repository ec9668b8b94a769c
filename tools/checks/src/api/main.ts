import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { createKnownData, startReceiver } from './known-data.ts';
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
    const testKey = await unlimitedKey(system.keysAddress, 'check', 'test');
    const known = await createKnownData(system.apiUrl, key, await startReceiver());
    const report = await runSchemathesis(program, { url: system.apiUrl, key, testKey, known }, settings);
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
