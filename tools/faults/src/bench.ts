import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStackError } from '@shopscope/local-stack';
import type { Figures } from './checker/figures.ts';
import { owedBy } from './checker/owed.ts';
import { promises } from './checker/promises.ts';
import { type Scenario, scenarios } from './faults/index.ts';
import { plantedBugs } from './planted/planted-bugs.ts';
import { runPlanted } from './planted/run-planted.ts';
import {
  appendRecord,
  isDue,
  isGood,
  plantedPrefix,
  productOf,
  type RunRecord,
  readRecords,
  runsOf,
  standingOf,
} from './records.ts';
import { reportOf, tableOf } from './report.ts';
import { brokenPromises, type Run, runScenario } from './run.ts';
import type { FaultSettings } from './settings.ts';
import { fillCorpus } from './system/corpus.ts';
import { type FaultSystem, startSystem } from './system/system.ts';
import { notShown } from './verdict.ts';

export interface BenchOptions {
  root: string;
  settings: FaultSettings;
  say(line: string): void;
}

interface Running {
  system: FaultSystem;
  stores: string[];
}

/** A run that ended before its books could be compared has no more than its findings. */
type Concluded = Pick<Run, 'scenario' | 'seed' | 'findings' | 'figures'> & Partial<Run>;

/**
 * Faults run one after the other on one system that is started for them; the rolling restart has a system of its own, with
 * two of every service and no links. Each run is recorded at once, so that a bench that is interrupted goes on where it
 * was, and several may fill the table side by side. What was broken is due again; the verdict is that of the latest runs.
 */
export function createBench({ root, settings, say }: BenchOptions) {
  const recordsPath = join(root, 'tools/faults/records.jsonl');
  const product = productOf(root);
  if (!product) say('Some of the product or of the bench is not committed: nothing will be recorded.');
  const unrecorded: RunRecord[] = [];

  const content = (product ?? notCommitted).product;
  const records = () => (product ? readRecords(recordsPath) : unrecorded);
  const runs = (name: string, seed: number) => runsOf(records(), content, name, seed);
  const isWanted = (name: string, seed: number, owed: readonly string[] = []) =>
    settings.again || isDue(runs(name, seed), owed);
  const writeReport = () =>
    writeFileSync(join(root, 'docs/faults.md'), reportOf(scenarios, readRecords(recordsPath), content));

  const conclude = (name: string, run: Concluded, startMs: number, isCaught?: boolean) => {
    const tookS = Math.round((performance.now() - startMs) / 1_000);
    const broken = brokenPromises(run);
    keepHistory(settings.stateDir, run);
    say(`  ${broken.length === 0 ? 'held' : 'BROKEN'} in ${tookS} s: ${textOf(run.figures)}`);
    for (const problem of broken) say(`  ${problem}`);
    const { figures, findings, seed } = run;
    const seen = { at: new Date().toISOString(), scenario: name, seed, tookS, figures };
    const checked = Object.keys(findings);
    const record = {
      ...(product ?? notCommitted),
      ...seen,
      checked,
      broken,
      ...(isCaught !== undefined && { isCaught }),
    };
    if (product) {
      appendRecord(recordsPath, record);
      writeReport();
    } else unrecorded.push(record);
    return broken;
  };

  const runAll = async (wanted: readonly Scenario[], isRolling: boolean): Promise<void> => {
    const due = settings.seeds.flatMap((seed) =>
      wanted
        .filter((scenario) => isWanted(scenario.name, seed, owedBy(scenario)))
        .map((scenario) => ({ scenario, seed })),
    );
    let running: Running | undefined;
    try {
      for (const { scenario, seed } of due) {
        // Another bench beside this one may have done it meanwhile.
        if (!isWanted(scenario.name, seed, owedBy(scenario))) continue;
        running ??= await start(isRolling);
        say(`${scenario.name}, seed ${seed} …`);
        const startMs = performance.now();
        const run = await runScenario({ ...running, scenario, seed }).catch((error: Error) =>
          cameToAnEnd(scenario.name, seed, error),
        );
        if (conclude(scenario.name, run, startMs).length === 0) continue;
        // What is broken may stay so; the next fault meets a system that is whole.
        const { system } = running;
        running = undefined;
        await system.stop();
      }
    } finally {
      await running?.system.stop();
    }
  };

  /** Twice at most: a start is no part of what is tested. */
  const start = (isRolling: boolean): Promise<Running> =>
    startOnce(isRolling).catch((first: Error) => {
      say(`The system did not become ready, so it is started once more: ${first.message}`);
      return startOnce(isRolling).catch((second: Error) => {
        throw new LocalStackError(`The system did not become ready in two attempts: ${second.message}`);
      });
    });

  const startOnce = async (isRolling: boolean): Promise<Running> => {
    say('Starting the system …');
    const { stateDir, cacheDir, portBase } = settings;
    rmSync(join(stateDir, 'data'), { recursive: true, force: true });
    const two = { gateway: 2, metering: 2, scanner: 2 };
    const replicas = isRolling ? { ...two, keys: 2, profiles: 2, 'scan-scheduler': 2 } : two;
    // The revoked key is refused more often than one address may fail: all clients share this one.
    const env = isRolling ? { DRAIN_DELAY_MS: '2500', AUTH_FAILURES_PER_MINUTE: '100000' } : {};
    const where = { root, stateDir, cacheDir, portBase };
    const system = await startSystem({ ...where, replicas, withLinks: !isRolling, env, report: say });
    try {
      return { system, stores: await fillCorpus(system) };
    } catch (error) {
      await system.stop();
      throw error;
    }
  };

  const verdict = (): number => {
    const bad = notShown(settings.scenarios, settings.seeds, runs);
    const count = settings.scenarios.length * settings.seeds.length;
    say(
      bad.length === 0
        ? `Every promise was measured and held in ${count} runs.`
        : `${bad.length} of ${count} runs did not hold or did not measure everything: ${bad.join('; ')}.`,
    );
    return bad.length;
  };

  return {
    writeReport,

    /** How many of the wanted runs did not hold, did not measure all that they owe, or have not been made. */
    async runTable(): Promise<number> {
      // What was recorded of another content is marked so from the beginning.
      if (product) writeReport();
      for (const isRolling of [false, true]) {
        const wanted = settings.scenarios.filter((scenario) => (scenario.isRolling ?? false) === isRolling);
        await runAll(wanted, isRolling);
      }
      say(tableOf(settings.scenarios, records(), content));
      return verdict();
    },

    /** How many planted bugs, of those that show under the wanted faults, were not caught. */
    async runPlantedBugs(): Promise<number> {
      const bugs = plantedBugs.filter((bug) => settings.scenarios.some(({ name }) => name === bug.scenario));
      const isCaughtUnder = (name: string) => (seed: number) => {
        const standing = standingOf(runs(plantedPrefix + name, seed));
        return standing !== undefined && isGood(standing);
      };
      for (const bug of bugs) {
        const name = plantedPrefix + bug.name;
        // A fault may miss the one moment in which a bug does harm: the next seed meets another.
        for (const seed of settings.seeds) {
          if (!settings.again && settings.seeds.some(isCaughtUnder(bug.name))) break;
          say(`planted: ${bug.name}, under ${bug.scenario}, seed ${seed} …`);
          const startMs = performance.now();
          const { isCaught, run } = await runPlanted(bug, { ...settings, root, seed, report: say }).catch(
            (error: Error) => ({ isCaught: false, run: cameToAnEnd(bug.scenario, seed, error) }),
          );
          conclude(name, run, startMs, isCaught);
          say(isCaught ? '  caught' : `  NOT CAUGHT: "${bug.breaks}" should have been broken`);
          if (isCaught) break;
        }
      }
      return bugs.filter(({ name }) => !settings.seeds.some(isCaughtUnder(name))).length;
    },
  };
}

const notCommitted = { product: 'not committed', commit: '' };

/** A part that did not come back, say: a broken promise like any other. */
const cameToAnEnd = (scenario: string, seed: number, { message }: Error): Concluded => ({
  scenario,
  seed,
  findings: { [promises.end]: [message] },
  figures: {},
});

function textOf(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(1)}`)
    .join('; ');
}

function keepHistory(stateDir: string, { scenario, seed, timeline, history }: Concluded): void {
  if (!history) return;
  const folder = join(stateDir, 'runs');
  mkdirSync(folder, { recursive: true });
  const lines = [timeline, ...history].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, `${scenario}-${seed}.jsonl`), `${lines.join('\n')}\n`);
}
