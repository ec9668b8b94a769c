import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalStackError } from '@shopscope/local-stack';
import { type Scenario, scenarios } from './faults/index.ts';
import { runPlanted } from './planted/run-planted.ts';
import { appendRecord, isRecorded, productOf, readRecords } from './records.ts';
import { reportOf } from './report.ts';
import { brokenPromises, type Run, runScenario } from './run.ts';
import { faultSettings, UsageError } from './settings.ts';
import { fillCorpus } from './system/corpus.ts';
import { type FaultSystem, startSystem } from './system/system.ts';

/**
 * The fault bench. Faults run one after the other on one system that is started for them; the rolling restart has a system
 * of its own. Each run is recorded at once, so that a bench that is interrupted goes on where it was.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const root = resolve(import.meta.dirname, '../../..');
const recordsPath = join(root, 'deploy/faults/records.jsonl');
const reportPath = join(root, 'docs/faults.md');

if (process.argv.includes('--list')) {
  for (const { name, row } of scenarios) say(`${name.padEnd(28)} ${row}`);
} else {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof LocalStackError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

async function main(): Promise<number> {
  const settings = faultSettings(process.env, process.argv.slice(2));
  if (settings.planted) return runPlanted({ root, settings, say });
  const product = productOf(root);
  if (!product) say('Some of services/, libs/ or proto/ is not committed: nothing will be recorded.');
  const open = (scenario: Scenario, seed: number) =>
    settings.again || !product || !isRecorded(readRecords(recordsPath), product.product, scenario.name, seed);

  let broken = 0;
  for (const isRolling of [false, true]) {
    const wanted = settings.scenarios.filter((scenario) => (scenario.isRolling ?? false) === isRolling);
    const due = settings.seeds.flatMap((seed) => wanted.filter((s) => open(s, seed)).map((s) => [s, seed] as const));
    if (due.length === 0) continue;
    let system = await start(settings, isRolling);
    try {
      for (const [scenario, seed] of due) {
        // Another bench beside this one may have done it meanwhile.
        if (!open(scenario, seed)) continue;
        say(`${scenario.name}, seed ${seed} …`);
        const startMs = performance.now();
        const run = await runScenario({ system: system.system, scenario, seed, stores: system.stores });
        const tookS = Math.round((performance.now() - startMs) / 1_000);
        const problems = brokenPromises(run);
        broken += problems.length;
        keepHistory(settings.stateDir, run);
        say(`  ${problems.length === 0 ? 'held' : 'BROKEN'} in ${tookS} s: ${figuresOf(run)}`);
        for (const problem of problems) say(`  ${problem}`);
        if (product) {
          const { figures, findings } = run;
          const checked = Object.keys(findings);
          const at = new Date().toISOString();
          const record = { ...product, at, scenario: scenario.name, seed, tookS, figures, checked, broken: problems };
          appendRecord(recordsPath, record);
          writeFileSync(reportPath, reportOf(scenarios, readRecords(recordsPath)));
        }
        if (problems.length > 0) {
          // What is broken may stay so; the next fault meets a system that is whole.
          await system.system.stop();
          system = await start(settings, isRolling);
        }
      }
    } finally {
      await system.system.stop();
    }
  }
  say(broken === 0 ? 'Every promise held.' : `${broken} promises were broken.`);
  return broken === 0 ? 0 : 1;
}

async function start(
  { stateDir, cacheDir, portBase }: ReturnType<typeof faultSettings>,
  isRolling: boolean,
): Promise<{ system: FaultSystem; stores: string[] }> {
  say('Starting the system …');
  rmSync(join(stateDir, 'data'), { recursive: true, force: true });
  const two = { gateway: 2, metering: 2, scanner: 2 };
  const system = await startSystem({
    root,
    stateDir,
    cacheDir,
    portBase,
    replicas: isRolling ? { ...two, keys: 2, profiles: 2, 'scan-scheduler': 2 } : two,
    withLinks: !isRolling,
    ...(isRolling && { env: { DRAIN_DELAY_MS: '1000' } }),
    report: say,
  });
  try {
    return { system, stores: await fillCorpus(system) };
  } catch (error) {
    await system.stop();
    throw error;
  }
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
