import { owedBy } from './checker/owed.ts';
import { promises } from './checker/promises.ts';
import type { Scenario } from './faults/index.ts';
import { plantedBugs } from './planted/planted-bugs.ts';
import { plantedPrefix, type RunRecord, runsOf, standingOf } from './records.ts';

/** docs/faults.md: the table, of the run that counts of every fault under every seed. */
export const reportOf = (...table: Parameters<typeof tableOf>): string => `${introduction}\n${tableOf(...table)}`;

/** Row × promise × figure. */
export function tableOf(scenarios: readonly Scenario[], records: readonly RunRecord[], product: string): string {
  const rows = [...new Set(scenarios.map(({ row }) => row))];
  const of = (name: string) => standingRuns(records, product, name);
  const seedsOf = (runs: readonly RunRecord[]) =>
    runs
      .map((run) => `${run.seed} (${run.commit}${run.product === product ? '' : ', of an earlier content'})`)
      .join(', ');
  const sections = rows.map((row) => {
    const mine = scenarios.filter((scenario) => scenario.row === row);
    return `## ${row}\n\n${mine.map((scenario) => section(scenario, of(scenario.name), seedsOf)).join('\n')}`;
  });
  return [...sections, planted(of, seedsOf)].join('\n');
}

/** Of every seed the run that counts, of the present content or, when that has none, of the one that ran last. */
function standingRuns(records: readonly RunRecord[], product: string, name: string): RunRecord[] {
  const mine = records.filter(({ scenario }) => scenario === name);
  const seeds = [...new Set(mine.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  return seeds.flatMap((seed) => {
    const latest = mine.findLast((run) => run.seed === seed)?.product ?? product;
    return standingOf(runsOf(mine, product, name, seed)) ?? standingOf(runsOf(mine, latest, name, seed)) ?? [];
  });
}

const introduction = `# Behaviour under faults

\`npm run faults\` runs real processes, with two gateways and two meterings, under an open-loop load. It kills, stops or cuts off a
part of the system. Afterwards a checker compares what the clients saw with ledger, usage, jobs and profiles.

The bench writes this page from \`tools/faults/records.jsonl\`. \`npm run faults\` runs the faults that were not run yet with the present
content of the product and of the bench. \`npm run faults -- --only NAME --seeds N\` repeats a run. A run of an earlier content is
marked.

- A run shows a promise only if the promise could have been broken: enough requests, enough time, work in progress at the fault, and
  a machine that could measure.
- A fault must show every promise in its table. If a run did not measure one of them, the fault is run again.
- No run may break a promise.
- Figures are the worst of the seeds; counts are sums. Times are in seconds. "Drained after" is counted from the end of the fault,
  under continued load.
`;

/** What a promise's figure is; in the units of their names. */
const figuresOf: Readonly<Record<string, readonly string[]>> = {
  [promises.billing]: ['charges counted'],
  [promises.executions]: ['answered again', 'replayed'],
  [promises.jobs]: ['jobs'],
  [promises.merges]: ['jobs'],
  [promises.allowance]: ['allowance samples', 'most taken of the allowance', 'allowance refused'],
  [promises.refusals]: ['requests'],
  [promises.admission]: ['most sent per minute', 'most admitted per minute'],
  [promises.replies]: ['slowest answer, s'],
  [promises.recovery]: ['recovered after, s', 'replacement started after, s', 'replacement ready after, s'],
  [promises.revocation]: ['load after revocation, s', 'revoked key last accepted after, s'],
  [promises.push]: ['revoked key last accepted after, s'],
};
/** Of what a fault expects beside that. */
const ofExpectation = [
  'touched by the fault',
  'unanswered',
  'slots back, s',
  'transactions interrupted',
  'scans interrupted',
  'leases lost',
  'restarts',
  'served',
  'pairs of faults',
  'processes compared',
  'drained after, s',
];
/** The others are counts. */
const worst = [
  'slowest answer, s',
  'recovered after, s',
  'replacement started after, s',
  'replacement ready after, s',
  'drained after, s',
  'slots back, s',
  'most taken of the allowance',
  'most sent per minute',
  'most admitted per minute',
  'load after revocation, s',
  'revoked key last accepted after, s',
  'blur, ms',
];

type SeedsOf = (runs: readonly RunRecord[]) => string;

function section(scenario: Scenario, runs: readonly RunRecord[], seedsOf: SeedsOf): string {
  const { name, expected } = scenario;
  if (runs.length === 0) return `### ${name}\n\nExpected: ${expected}.\n\nNot run yet.\n`;
  const listed = [...new Set([...owedBy(scenario), ...runs.flatMap(({ checked }) => checked)])];
  const broken = (promise: string) =>
    runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${promise}: `))).length;
  const shown = (promise: string) => {
    const count = runs.filter(({ checked }) => checked.includes(promise)).length;
    return `${count} of ${runs.length}${count < runs.length ? ' measured' : ''}`;
  };
  const figures = (promise: string) => textOf(promise === expected ? ofExpectation : (figuresOf[promise] ?? []), runs);
  return [
    `### ${name}`,
    '',
    `Expected: ${expected}. Seeds (commit): ${seedsOf(runs)}. ${textOf(['blur, ms'], runs)}.`,
    '',
    '| promise | shown in runs | broken | figures |',
    '|---|---|---|---|',
    ...listed.map((promise) => `| ${promise} | ${shown(promise)} | ${broken(promise)} | ${figures(promise)} |`),
    '',
  ].join('\n');
}

function textOf(names: readonly string[], runs: readonly RunRecord[]): string {
  return names
    .flatMap((name) => {
      const values = runs.flatMap(({ figures }) => figures[name] ?? []);
      if (values.length === 0) return [];
      const value = worst.includes(name) ? values.reduce((most, each) => Math.max(most, each)) : sum(values);
      return [`${name}: ${Number.isInteger(value) ? value : value.toFixed(1)}`];
    })
    .join('; ');
}

/** A planted bug is caught when the promise that it breaks was found broken. */
function planted(of: (name: string) => RunRecord[], seedsOf: SeedsOf): string {
  const rows = plantedBugs.map(({ name, scenario, breaks }) => {
    const runs = of(plantedPrefix + name);
    const found = runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${breaks}: `)));
    const verdict =
      runs.length === 0 ? 'not run yet' : found.length > 0 ? `caught, ${found.length} times` : 'NOT CAUGHT';
    return `| ${name} | ${scenario} | ${breaks} | ${seedsOf(runs)} | ${verdict} |`;
  });
  const head = '| bug | fault | promise it breaks | seed (commit) | |\n|---|---|---|---|---|';
  return `## Planted bugs\n\n\`npm run faults -- --planted\` applies each bug as a patch to a copy of the product. A bug is caught when its run breaks the promise.\n\n${head}\n${rows.join('\n')}\n`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
