import { unlimitedKey } from '@shopscope/local';
import { createKnownData, startReceiver } from './known-data.ts';
import { problemsOf } from './outcome.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';
import type { ApiCheckSettings } from './settings.ts';
import type { CheckedSystem } from './system.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Sends generated requests to the running API, by the fuzzer schemathesis with all of its checks. Returns and prints the problems. */
export async function checkApi(system: CheckedSystem, settings: ApiCheckSettings): Promise<string[]> {
  const program = installSchemathesis(settings.cacheDir);
  say(`Checking the API … (seed ${settings.seed})`);
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
  return problems;
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
