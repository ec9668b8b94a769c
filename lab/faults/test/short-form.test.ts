import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPortFree } from '@shopscope/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promises } from '../src/checker/promises.ts';
import { scenarioNamed } from '../src/faults/index.ts';
import { brokenPromises, runScenario } from '../src/run.ts';
import { fillCorpus } from '../src/system/corpus.ts';
import { type FaultSystem, startSystem } from '../src/system/system.ts';

const root = resolve(import.meta.dirname, '../../..');
const localDir = resolve(root, process.env.SHOPSCOPE_LOCAL_DIR ?? '.local');
const startTimeoutMs = 240_000;
/** Time limit of one fault. */
const runTimeoutMs = 240_000;
const seed = 1;
/**
 * The faults that need no links. The faults of Redis are last: in the minute in which Redis loses its state, twice the
 * limit may be admitted. A following fault could begin in that minute.
 */
const faults = ['gateway-kill', 'kafka-kill', 'metering-kill', 'mongod-kill', 'redis-kill', 'redis-flushall'];

/** The test kills processes, so it must start them itself. It cannot use a Docker engine or servers of the operator. */
const canRunNatively = ['java', 'mvn', 'python3'].every((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/**
 * The short form of the fault bench: one run of each fault, one after the other in one system. By day, the tests of the services kill, freeze
 * and cut off one service or server at a time.
 *
 * It asserts that every gateway eventually refuses a revoked key that it had in its cache. It does not assert time bounds or
 * that other requests are unaffected, because a busy machine can break these. `npm run faults` asserts them.
 */
describe.skipIf(!canRunNatively)('short form of the faults', { tags: ['nightly'] }, () => {
  // The name is that of a test run's data, so a later run removes the data of a killed one.
  const stateDir = join(localDir, `test-${process.pid}`);
  let system: FaultSystem;
  let stores: string[];

  beforeAll(async () => {
    let portBase = 0;
    do portBase = 10_000 + 500 * Math.floor(Math.random() * 18);
    while (!(await isPortFree(portBase)) || !(await isPortFree(portBase + 20)));
    system = await startSystem({
      root,
      stateDir,
      cacheDir: resolve(root, process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache'),
      portBase,
      replicas: { gateway: 2, metering: 2 },
      withLinks: false,
      withSearch: false,
      report: () => {},
    });
    stores = await fillCorpus(system);
  }, startTimeoutMs);
  afterAll(async () => {
    await system?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }, 120_000);

  for (const name of faults) {
    const title = `clients, ledger, usage and jobs agree after the fault ${name}; no request is lost, billed twice or accepted under a revoked key`;
    it(title, { timeout: runTimeoutMs }, async () => {
      const run = await runScenario({ system, scenario: scenarioNamed(name), seed, stores, isShort: true });
      expect(brokenPromises(run)).toEqual([]);
      expect(Object.keys(run.findings)).toContain(promises.revocation);
      expect(run.figures.ok).toBeGreaterThan(0);
      expect(run.figures['charges counted']).toBeGreaterThan(0);
      expect(run.figures['units given back']).toBeGreaterThan(0);
    });
  }
});
