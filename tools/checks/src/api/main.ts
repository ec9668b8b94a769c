import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { faultsOf } from './outcome.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';
import { checkSettings } from './settings.ts';
import { startSystem } from './system.ts';

/**
 * Asks the running API what its own openapi.json promises, through schemathesis, a fuzzer that nobody here wrote. All of
 * its checks are on. `npm run check:api` asks at least 10,000 times; `-- --short` is for continuous integration.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const settings = checkSettings(process.env, process.argv.slice(2));
  const program = installSchemathesis(settings.cacheDir);
  say(`Starting the system … (seed ${settings.seed})`);
  const system = await startSystem(settings, resolve(import.meta.dirname, '../../../..'));
  try {
    const key = await unlimitedKey(system.keysAddress, 'check');
    const report = await runSchemathesis(program, { url: system.apiUrl, key }, settings);
    const crashes = await system.faults();
    const served = await servedOperations(system.apiUrl);
    const faults = [...crashes, ...faultsOf(report, { ...settings, served })];
    for (const fault of faults) say(`  ${fault}`);
    const { generated = 0, unique_failures: failures = 0 } = report?.test_cases ?? {};
    const ofServed = `${report?.served_cases ?? 0} of served operations`;
    say(
      `check:api: ${generated} cases, ${ofServed}, ${failures} failures, ${faults.length} faults (seed ${settings.seed})`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}

/** `GET /v1/account` and so on, as schemathesis names them, but for the document that it has from there to begin with. */
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
