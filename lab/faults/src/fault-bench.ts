import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minuteMs } from '@shopscope/clock';
import { LocalStackError } from '@shopscope/local-stack';
import type { Figures } from './checker/figures.ts';
import { promises } from './checker/promises.ts';
import { productOf } from './content.ts';
import type { Scenario } from './faults/index.ts';
import { type Mutant, mutants } from './mutants/mutants.ts';
import { runMutant } from './mutants/run-mutant.ts';
import { faultTable, readResults, writeReport } from './report.ts';
import { isDue, mutantPrefix, type Result, reasonUnproven, resultOf, withRun } from './results.ts';
import { brokenPromises, type Run, runScenario } from './run.ts';
import type { FaultSettings } from './settings.ts';
import { type FilledSystem, startFilledSystem } from './system/corpus.ts';
import { formOptions, type SystemForm, systemForms } from './system/form.ts';

/** A finished run. An aborted run has findings but no history. */
type FinishedRun = Pick<Run, 'scenario' | 'seed' | 'findings' | 'figures'> & Partial<Run>;

/**
 * Runs the faults one after the other, those of each form of the system on one system.
 *
 * Each run is recorded in docs/faults.md when it ends. An interrupted bench therefore continues with the next fault that is due, and
 * several benches can fill the page at the same time. Two runs end within the same millisecond -> one result is lost, and its fault stays due.
 */
export function createFaultBench({
  root,
  settings,
  say,
}: {
  root: string;
  settings: FaultSettings;
  say(line: string): void;
}) {
  const path = join(root, 'docs/faults.md');
  const product = productOf(root);
  if (!product) say('The product or the bench has uncommitted changes, so nothing will be recorded.');
  let unrecorded: Result[] = [];

  const content = product ?? { product: 'uncommitted', commit: 'uncommitted' };
  const results = () => (product ? readResults(path) : unrecorded);
  const lastOf = (name: string, seed: number) =>
    results().find((each) => each.scenario === name && each.seed === seed && each.product === content.product);
  const endMs = performance.now() + settings.minutes * minuteMs;
  const isTimeOver = () => performance.now() >= endMs;
  const isWanted = (name: string, seed: number) => settings.again || isDue(lastOf(name, seed));

  const recordRun = (run: FinishedRun, startMs: number, result: Pick<Result, 'scenario' | 'outcome' | 'promises'>) => {
    const tookS = Math.round((performance.now() - startMs) / 1_000);
    const broken = brokenPromises(run);
    keepHistory(settings.stateDir, run);
    say(`  ${broken.length === 0 ? 'held' : 'BROKEN'} in ${tookS} s: ${textOf(run.figures)}`);
    for (const problem of broken) say(`  ${problem}`);
    const all = withRun(results(), { ...content, ...result, seed: run.seed });
    if (product) writeReport(path, all);
    else unrecorded = all;
  };

  const runAll = async (wanted: readonly Scenario[], form: SystemForm): Promise<void> => {
    const due = settings.seeds.flatMap((seed) =>
      wanted.filter(({ name }) => isWanted(name, seed)).map((scenario) => ({ scenario, seed })),
    );
    let running: FilledSystem | undefined;
    try {
      for (const { scenario, seed } of due) {
        // Another bench may have recorded a run of this fault meanwhile.
        if (!isWanted(scenario.name, seed)) continue;
        if (isTimeOver()) return;
        running ??= await start(form);
        say(`${scenario.name}, seed ${seed} …`);
        const startMs = performance.now();
        const run = await runScenario({ ...running, scenario, seed }).catch((error: Error) =>
          abortedRun(scenario.name, seed, error),
        );
        const result = resultOf(scenario, run.findings);
        recordRun(run, startMs, { scenario: scenario.name, ...result });
        if (result.outcome === 'held') continue;
        // A broken system may stay broken, so the next fault gets a new one.
        const { system } = running;
        running = undefined;
        await system.stop();
      }
    } finally {
      await running?.system.stop();
    }
  };

  /** Tries twice, because the start of the system is not under test. */
  const start = (form: SystemForm): Promise<FilledSystem> =>
    startOnce(form).catch((first: Error) => {
      say(`The system did not become ready, so it is started again: ${first.message}`);
      return startOnce(form).catch((second: Error) => {
        throw new LocalStackError(`The system did not become ready in two attempts: ${second.message}`);
      });
    });

  const startOnce = (form: SystemForm): Promise<FilledSystem> => {
    say('Starting the system …');
    const { stateDir, cacheDir, portBase } = settings;
    return startFilledSystem({ root, stateDir, cacheDir, portBase, report: say, ...formOptions[form] });
  };

  const verdict = (): number => {
    const wanted = settings.scenarios.flatMap(({ name }) => settings.seeds.map((seed) => ({ name, seed })));
    const unproven = wanted.flatMap(({ name, seed }) => {
      const reason = reasonUnproven(lastOf(name, seed));
      return reason === undefined ? [] : [`${name} ${seed} (${reason})`];
    });
    say(
      unproven.length === 0
        ? `Every promise was measured and held in ${wanted.length} runs.`
        : `${unproven.length} of ${wanted.length} runs did not hold or did not measure everything: ${unproven.join('; ')}.`,
    );
    return unproven.length;
  };

  return {
    /** Writes docs/faults.md again, with the current names and promises of the faults. */
    rewriteReport: () => writeReport(path, readResults(path)),

    /** Runs the faults that are due. Resolves to the number of wanted runs that are missing, broken or not fully measured. */
    async runTable(): Promise<number> {
      for (const form of systemForms) {
        const wanted = settings.scenarios.filter((scenario) => (scenario.form ?? 'single') === form);
        await runAll(wanted, form);
      }
      say(faultTable(settings.scenarios, results()));
      return verdict();
    },

    /** Runs the mutants of the wanted faults. Resolves to the number of mutants that were not caught. */
    async runMutants(): Promise<number> {
      const wanted = mutants.filter((mutant) => settings.scenarios.some(({ name }) => name === mutant.scenario));
      const isCaughtByAny = ({ name }: Mutant) =>
        settings.seeds.some((seed) => lastOf(mutantPrefix + name, seed)?.outcome === 'caught');
      for (const mutant of wanted) {
        // The fault of one seed may miss the moment at which the bug has an effect. The next seed is then tried.
        for (const seed of settings.seeds) {
          if ((!settings.again && isCaughtByAny(mutant)) || isTimeOver()) break;
          say(`mutant: ${mutant.name}, under ${mutant.scenario}, seed ${seed} …`);
          const startMs = performance.now();
          const { isCaught, run } = await runMutant(mutant, { ...settings, root, seed, report: say }).catch(
            (error: Error) => ({ isCaught: false, run: abortedRun(mutant.scenario, seed, error) }),
          );
          const outcome = isCaught ? 'caught' : 'not caught';
          recordRun(run, startMs, { scenario: mutantPrefix + mutant.name, outcome, promises: [] });
          say(isCaught ? '  caught' : `  NOT CAUGHT: the run did not break "${mutant.breaks}"`);
          if (isCaught) break;
        }
      }
      return wanted.filter((mutant) => !isCaughtByAny(mutant)).length;
    },
  };
}

/** Returns the result of a run that an error has ended, for example because a process was not replaced. The error breaks a promise. */
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

function keepHistory(stateDir: string, { scenario, seed, findings, figures, timeline, history }: FinishedRun): void {
  if (!history) return;
  const folder = join(stateDir, 'runs');
  mkdirSync(folder, { recursive: true });
  const lines = [{ findings, figures, timeline }, ...history].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, `${scenario}-${seed}.jsonl`), `${lines.join('\n')}\n`);
}
