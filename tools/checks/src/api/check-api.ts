import { unlimitedKey } from '@shopscope/local';
import { createList, graphqlRun, queryFields } from './graphql-run.ts';
import { createKnownData, startReceiver } from './known-data.ts';
import { type Expected, problemsOf } from './outcome.ts';
import { restRun } from './rest-run.ts';
import { installSchemathesis, type Run, runSchemathesis } from './schemathesis.ts';
import type { ApiCheckSettings } from './settings.ts';
import type { CheckedSystem } from './system.ts';

const leastShare = 0.5;
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Compares the running API with its openapi.json and its GraphQL schema, by the fuzzer schemathesis with all of its checks. Prints the
 * problems and resolves to them.
 */
export async function checkApi(system: CheckedSystem, settings: ApiCheckSettings): Promise<string[]> {
  const program = installSchemathesis(settings.cacheDir);
  say(`Sending requests … (seed ${settings.seed})`);
  const key = await unlimitedKey(system.keysAddress, 'check');
  const testKey = await unlimitedKey(system.keysAddress, 'check', 'test');
  const known = await createKnownData(system.apiUrl, key, await startReceiver());
  const url = system.apiUrl;
  const rest = restRun({ url, key, testKey, known }, settings);
  const problems = await runAll(program, settings, [
    // First, because requests to other operations change what documents can name.
    ...(await graphqlRuns(settings, { url, keys: { live: key, test: testKey } })),
    [rest, { ...settings, served: await servedOperations(url) }],
  ]);
  problems.push(...(await system.problems()));
  for (const problem of problems) say(`  ${problem}`);
  say(`check:api: ${problems.length} problems (seed ${settings.seed})`);
  return problems;
}

/** Carries out the runs one after the other, and returns the problems of all of them. */
async function runAll(program: string, settings: ApiCheckSettings, runs: [Run, Expected][]): Promise<string[]> {
  const problems: string[] = [];
  for (const [run, expected] of runs) {
    const report = await runSchemathesis(program, run, settings);
    problems.push(...problemsOf(report, expected).map((problem) => `${run.name}: ${problem}`));
    const { generated = 0, unique_failures: failures = 0 } = report?.test_cases ?? {};
    say(`${run.name}: ${generated} cases, ${report?.served_cases ?? 0} of served operations, ${failures} failures`);
  }
  return problems;
}

/** Each field of Query is tested with a live key and with a test key. */
async function graphqlRuns(
  settings: ApiCheckSettings,
  { url, keys }: { url: string; keys: Record<'live' | 'test', string> },
): Promise<[Run, Expected][]> {
  const served = await queryFields(url, keys.live);
  // Of a field without arguments there are few documents.
  const minCases = served.length * settings.documentsPerField * leastShare;
  const runs: [Run, Expected][] = [];
  for (const environment of ['live', 'test'] as const) {
    const key = keys[environment];
    const run = graphqlRun({ url, key, environment, listId: await createList(url, key) }, settings);
    runs.push([run, { minCases, minServedCases: minCases, served }]);
  }
  return runs;
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
