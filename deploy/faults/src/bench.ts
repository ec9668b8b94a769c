import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scenario, scenarios } from './faults/index.ts';
import { plantedBugs } from './planted/planted-bugs.ts';
import { runPlanted } from './planted/run-planted.ts';
import { appendRecord, isRecorded, plantedPrefix, productOf, readRecords } from './records.ts';
import { reportOf } from './report.ts';
import { brokenPromises, type Run, runScenario } from './run.ts';
import type { FaultSettings } from './settings.ts';
import { fillCorpus } from './system/corpus.ts';
import { type FaultSystem, startSystem } from './system/system.ts';

export interface BenchOptions {
  root: string;
  settings: FaultSettings;
  say(line: string): void;
}

interface Running {
  system: FaultSystem;
  stores: string[];
}

/**
 * Faults run one after the other on one system that is started for them; the rolling restart has a system of its own, with
 * two of every service and no links. Each run is recorded at once, so that a bench that is interrupted goes on where it
 * was, and several may fill the table side by side.
 */
export function createBench({ root, settings, say }: BenchOptions) {
  const recordsPath = join(root, 'deploy/faults/records.jsonl');
  const product = productOf(root);
  if (!product) say('Some of services/, libs/ or proto/ is not committed: nothing will be recorded.');

  const isDue = (name: string, seed: number) =>
    settings.again || !product || !isRecorded(readRecords(recordsPath), product.product, name, seed);

  const conclude = (name: string, run: Run, startMs: number) => {
    const tookS = Math.round((performance.now() - startMs) / 1_000);
    const broken = brokenPromises(run);
    keepHistory(settings.stateDir, run);
    say(`  ${broken.length === 0 ? 'held' : 'BROKEN'} in ${tookS} s: ${figuresOf(run)}`);
    for (const problem of broken) say(`  ${problem}`);
    if (!product) return broken;
    const { figures, findings, seed } = run;
    const checked = Object.keys(findings);
    const at = new Date().toISOString();
    appendRecord(recordsPath, { ...product, at, scenario: name, seed, tookS, figures, checked, broken });
    writeFileSync(join(root, 'docs/faults.md'), reportOf(scenarios, readRecords(recordsPath)));
    return broken;
  };

  const runAll = async (wanted: readonly Scenario[], isRolling: boolean): Promise<number> => {
    const due = settings.seeds.flatMap((seed) =>
      wanted.filter(({ name }) => isDue(name, seed)).map((scenario) => ({ scenario, seed })),
    );
    if (due.length === 0) return 0;
    let broken = 0;
    let running = await start(isRolling);
    try {
      for (const { scenario, seed } of due) {
        // Another bench beside this one may have done it meanwhile.
        if (!isDue(scenario.name, seed)) continue;
        say(`${scenario.name}, seed ${seed} …`);
        const startMs = performance.now();
        const problems = conclude(scenario.name, await runScenario({ ...running, scenario, seed }), startMs);
        broken += problems.length;
        if (problems.length === 0) continue;
        // What is broken may stay so; the next fault meets a system that is whole.
        await running.system.stop();
        running = await start(isRolling);
      }
    } finally {
      await running.system.stop();
    }
    return broken;
  };

  const start = async (isRolling: boolean): Promise<Running> => {
    say('Starting the system …');
    const { stateDir, cacheDir, portBase } = settings;
    rmSync(join(stateDir, 'data'), { recursive: true, force: true });
    const two = { gateway: 2, metering: 2, scanner: 2 };
    const replicas = isRolling ? { ...two, keys: 2, profiles: 2, 'scan-scheduler': 2 } : two;
    const env = isRolling ? { DRAIN_DELAY_MS: '1000' } : {};
    const where = { root, stateDir, cacheDir, portBase };
    const system = await startSystem({ ...where, replicas, withLinks: !isRolling, env, report: say });
    try {
      return { system, stores: await fillCorpus(system) };
    } catch (error) {
      await system.stop();
      throw error;
    }
  };

  return {
    /** How many promises were broken. */
    async runTable(): Promise<number> {
      let broken = 0;
      for (const isRolling of [false, true]) {
        const wanted = settings.scenarios.filter((scenario) => (scenario.isRolling ?? false) === isRolling);
        broken += await runAll(wanted, isRolling);
      }
      say(broken === 0 ? 'Every promise held.' : `${broken} promises were broken.`);
      return broken;
    },

    /** How many planted bugs were not caught. */
    async runPlantedBugs(): Promise<number> {
      let missed = 0;
      for (const bug of plantedBugs) {
        const name = plantedPrefix + bug.name;
        const seed = settings.seeds[0] ?? 1;
        if (!isDue(name, seed)) continue;
        say(`planted: ${bug.name}, under ${bug.scenario}, seed ${seed} …`);
        const startMs = performance.now();
        const { isCaught, run } = await runPlanted(bug, { ...settings, root, seed, report: say });
        conclude(name, run, startMs);
        say(isCaught ? '  caught' : `  NOT CAUGHT: "${bug.breaks}" should have been broken`);
        if (!isCaught) missed += 1;
      }
      return missed;
    },
  };
}

function figuresOf({ figures }: Run): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(1)}`)
    .join('; ');
}

function keepHistory(stateDir: string, { scenario, seed, timeline, history }: Run): void {
  const folder = join(stateDir, 'runs');
  mkdirSync(folder, { recursive: true });
  const lines = [timeline, ...history].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, `${scenario}-${seed}.jsonl`), `${lines.join('\n')}\n`);
}
