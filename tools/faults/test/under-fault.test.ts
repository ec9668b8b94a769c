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

/**
 * The short form of the fault bench: what can be killed without anything in between, once each. Bounds of time, and
 * that others are unaffected, are not asserted here, because a busy machine may break them; `npm run faults` does that.
 * That nobody is let in is: every gateway has let the key in before it is revoked, and refuses it in the end.
 */
const root = resolve(import.meta.dirname, '../../..');
const localDir = resolve(root, process.env.SHOPSCOPE_LOCAL_DIR ?? '.local');
const startTimeoutMs = 240_000;
/** What the whole short form may take, every one of its faults has at most. */
const runTimeoutMs = 240_000;
const faults = ['gateway-kill', 'metering-kill', 'redis-flushall', 'redis-kill', 'mongod-kill', 'kafka-kill'];
const seed = 1;

/** Processes are killed, so they have to be ours: not a Docker engine's, nor servers that somebody named. */
const canRunNatively = ['java', 'mvn', 'python3'].every((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

describe.skipIf(!canRunNatively)('under fault, what a client saw is what stands in the books', () => {
  // Named like the data of a test run, so that a later run clears away what a killed one left.
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
      report: () => {},
    });
    stores = await fillCorpus(system);
  }, startTimeoutMs);
  afterAll(async () => {
    await system?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }, 120_000);

  it.each(faults)(
    'and nothing is lost, billed twice or let in: %s',
    async (name) => {
      const run = await runScenario({ system, scenario: scenarioNamed(name), seed, stores, isShort: true });
      expect(brokenPromises(run)).toEqual([]);
      expect(Object.keys(run.findings)).toContain(promises.revocation);
      expect(run.figures.ok).toBeGreaterThan(0);
      expect(run.figures['charges counted']).toBeGreaterThan(0);
    },
    runTimeoutMs,
  );
});
