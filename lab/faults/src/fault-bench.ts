import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStackError } from '@shopscope/local-stack';
import type { Figures } from './checker/figures.ts';
import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import { type Scenario, scenarios } from './faults/index.ts';
import { mutants } from './mutants/mutants.ts';
import { runMutant } from './mutants/run-mutant.ts';
import {
  appendRecord,
  decisiveRunOf,
  isDue,
  isGood,
  mutantPrefix,
  productOf,
  type RunRecord,
  readRecords,
  runsOf,
} from './records.ts';
import { reportOf, tableOf } from './report.ts';
import { brokenPromises, type Run, runScenario } from './run.ts';
import type { FaultSettings } from './settings.ts';
import { fillCorpus } from './system/corpus.ts';
import { type FaultSystem, startSystem } from './system/system.ts';
import { unprovenRuns } from './verdict.ts';

export interface FaultBenchOptions {
  root: string;
  settings: FaultSettings;
  say(line: string): void;
}

interface Running {
  system: FaultSystem;
  stores: string[];
}

/** A finished run. One that was aborted has findings but no history. */
type FinishedRun = Pick<Run, 'scenario' | 'seed' | 'findings' | 'figures'> & Partial<Run>;

/**
 * Runs the faults one after the other on one system. The rolling restart has a system of its own, with two instances of every
 * service and without links.
 *
 * Each run is recorded when it ends. An interrupted bench therefore continues with the next fault that is due, and several
 * benches can fill the table at the same time. A broken run makes its fault due again.
 */
export function createFaultBench({ root, settings, say }: FaultBenchOptions) {
  const recordsPath = join(root, 'lab/faults/records.jsonl');
  const product = productOf(root);
  if (!product) say('The product or the bench has uncommitted changes, so nothing will be recorded.');
  const unrecorded: RunRecord[] = [];

  const content = (product ?? notCommitted).product;
  const records = () => (product ? readRecords(recordsPath) : unrecorded);
  const runs = (name: string, seed: number) => runsOf(records(), content, name, seed);
  const isWanted = (name: string, seed: number, required: readonly string[] = []) =>
    settings.again || isDue(runs(name, seed), required);
  const writeReport = () =>
    writeFileSync(join(root, 'docs/faults.md'), reportOf(scenarios, readRecords(recordsPath), content));

  const recordRun = (name: string, run: FinishedRun, startMs: number, isCaught?: boolean) => {
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
        .filter((scenario) => isWanted(scenario.name, seed, requiredChecksOf(scenario)))
        .map((scenario) => ({ scenario, seed })),
    );
    let running: Running | undefined;
    try {
      for (const { scenario, seed } of due) {
        // Another bench may have recorded this run meanwhile.
        if (!isWanted(scenario.name, seed, requiredChecksOf(scenario))) continue;
        running ??= await start(isRolling);
        say(`${scenario.name}, seed ${seed} …`);
        const startMs = performance.now();
        const run = await runScenario({ ...running, scenario, seed }).catch((error: Error) =>
          abortedRun(scenario.name, seed, error),
        );
        if (recordRun(scenario.name, run, startMs).length === 0) continue;
        // A broken system may stay broken, so the next fault gets a new one.
        const { system } = running;
        running = undefined;
        await system.stop();
      }
    } finally {
      await running?.system.stop();
    }
  };

  /** Retries once, because the start of the system is not under test. */
  const start = (isRolling: boolean): Promise<Running> =>
    startOnce(isRolling).catch((first: Error) => {
      say(`The system did not become ready, so it is started again: ${first.message}`);
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
    // All clients share one address, and the revoked key is refused more often than one address may fail by default.
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
    const bad = unprovenRuns(settings.scenarios, settings.seeds, runs);
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

    /** Runs the due faults. Resolves to the number of wanted runs that are missing, broken or not fully measured. */
    async runTable(): Promise<number> {
      // The report marks runs of another content before the first new run ends.
      if (product) writeReport();
      for (const isRolling of [false, true]) {
        const wanted = settings.scenarios.filter((scenario) => (scenario.isRolling ?? false) === isRolling);
        await runAll(wanted, isRolling);
      }
      say(tableOf(settings.scenarios, records(), content));
      return verdict();
    },

    /** Runs the mutants of the wanted faults. Resolves to the number of mutants that were not caught. */
    async runMutants(): Promise<number> {
      const wanted = mutants.filter((mutant) => settings.scenarios.some(({ name }) => name === mutant.scenario));
      const isCaughtUnder = (name: string) => (seed: number) => {
        const decisive = decisiveRunOf(runs(mutantPrefix + name, seed));
        return decisive !== undefined && isGood(decisive);
      };
      for (const mutant of wanted) {
        const name = mutantPrefix + mutant.name;
        // One seed may miss the moment at which the bug has an effect, so the next seed is tried.
        for (const seed of settings.seeds) {
          if (!settings.again && settings.seeds.some(isCaughtUnder(mutant.name))) break;
          say(`mutant: ${mutant.name}, under ${mutant.scenario}, seed ${seed} …`);
          const startMs = performance.now();
          const { isCaught, run } = await runMutant(mutant, { ...settings, root, seed, report: say }).catch(
            (error: Error) => ({ isCaught: false, run: abortedRun(mutant.scenario, seed, error) }),
          );
          recordRun(name, run, startMs, isCaught);
          say(isCaught ? '  caught' : `  NOT CAUGHT: the run did not break "${mutant.breaks}"`);
          if (isCaught) break;
        }
      }
      return wanted.filter(({ name }) => !settings.seeds.some(isCaughtUnder(name))).length;
    },
  };
}

const notCommitted = { product: 'not committed', commit: '' };

/** An error ends the run, for example a process that was not replaced. It is recorded as a broken promise. */
const abortedRun = (scenario: string, seed: number, { message }: Error): FinishedRun => ({
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

function keepHistory(stateDir: string, { scenario, seed, timeline, history }: FinishedRun): void {
  if (!history) return;
  const folder = join(stateDir, 'runs');
  mkdirSync(folder, { recursive: true });
  const lines = [timeline, ...history].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, `${scenario}-${seed}.jsonl`), `${lines.join('\n')}\n`);
}
