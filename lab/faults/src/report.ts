import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import { noCounts } from './clients/neighbour/counts.ts';
import type { Scenario } from './faults/index.ts';
import { mutants } from './mutants/mutants.ts';
import { decisiveRunOf, mutantPrefix, type RunRecord, runsOf } from './records.ts';

/** The text of docs/faults.md: an introduction and the results of every fault. */
export const reportOf = (...table: Parameters<typeof tableOf>): string => `${introduction}\n${tableOf(...table)}`;

/** The results: per row and fault, a table of promises and figures. */
export function tableOf(scenarios: readonly Scenario[], records: readonly RunRecord[], product: string): string {
  const rows = [...new Set(scenarios.map(({ row }) => row))];
  const of = (name: string) => decisiveRuns(records, product, name);
  const seedsOf = (runs: readonly RunRecord[]) =>
    runs
      .map((run) => `${run.seed} (${run.commit}${run.product === product ? '' : ', of an earlier content'})`)
      .join(', ');
  const sections = rows.map((row) => {
    const mine = scenarios.filter((scenario) => scenario.row === row);
    return `## ${row}\n\n${mine.map((scenario) => section(scenario, of(scenario.name), seedsOf)).join('\n')}`;
  });
  return [...sections, mutantsSection(of, seedsOf)].join('\n');
}

/** The run that counts for each seed: of the present content or, if that has none, of the latest content with a run. */
function decisiveRuns(records: readonly RunRecord[], product: string, name: string): RunRecord[] {
  const mine = records.filter(({ scenario }) => scenario === name);
  const seeds = [...new Set(mine.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  return seeds.flatMap((seed) => {
    const latest = mine.findLast((run) => run.seed === seed)?.product ?? product;
    return decisiveRunOf(runsOf(mine, product, name, seed)) ?? decisiveRunOf(runsOf(mine, latest, name, seed)) ?? [];
  });
}

const introduction = `# Behaviour under faults

\`npm run faults\` runs real processes, with two instances of gateway and metering, under an open-loop load. It kills, stops or cuts off a
part of the system. Afterwards a checker compares what the clients saw with ledger, usage, jobs and profiles.

The bench writes this page from \`lab/faults/records.jsonl\`. \`npm run faults\` runs the faults that were not run yet with the present
content of the product and of the bench. \`npm run faults -- --only NAME --seeds N\` repeats a run. A run of an earlier content is
marked.

- A run shows a promise only if the promise could have been broken: enough requests, enough time, work in progress at the fault, and
  a machine that could measure.
- A fault must show every promise in its table. If a run did not measure one of them, the fault is run again.
- No run may break a promise.
- Figures are the worst of the seeds; counts are sums. Times are in seconds. "Drained after" is counted from the end of the fault,
  under continued load.
- "Blur" is the longest delay of the bench's own event loop. No time in the table is more precise. "Unanswered" requests got no
  complete response. Requests "answered again" got more than one success under one Idempotency-Key.
`;

/** The figures beside each promise. */
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
/** The figures beside a fault's own expectation. */
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
  'pages read during the fault',
  'requests for stores during the fault',
  'requests for stores interrupted',
  'requests for stores that failed',
  'drained after, s',
  'requests compared',
  'p50 alone, ms',
  'p50 beside the neighbour, ms',
  'p99 alone, ms',
  'p99 beside the neighbour, ms',
  ...Object.keys(noCounts()),
];
/** Of these figures the table shows the worst value. The others are counts, and the table shows their sum. */
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
  'p50 alone, ms',
  'p50 beside the neighbour, ms',
  'p99 alone, ms',
  'p99 beside the neighbour, ms',
  'most open bodies at once',
];

type SeedsOf = (runs: readonly RunRecord[]) => string;

function section(scenario: Scenario, runs: readonly RunRecord[], seedsOf: SeedsOf): string {
  const { name, expected } = scenario;
  if (runs.length === 0) return `### ${name}\n\nExpected: ${expected}.\n\nNot run yet.\n`;
  const listed = [...new Set([...requiredChecksOf(scenario), ...runs.flatMap(({ checked }) => checked)])];
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

/** A mutant is caught when its run broke the promise that it should break. */
function mutantsSection(of: (name: string) => RunRecord[], seedsOf: SeedsOf): string {
  const rows = mutants.map(({ name, scenario, breaks }) => {
    const runs = of(mutantPrefix + name);
    const found = runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${breaks}: `)));
    const verdict =
      runs.length === 0 ? 'not run yet' : found.length > 0 ? `caught, ${found.length} times` : 'NOT CAUGHT';
    return `| ${name} | ${scenario} | ${breaks} | ${seedsOf(runs)} | ${verdict} |`;
  });
  const head = '| mutant | fault | promise it breaks | seed (commit) | |\n|---|---|---|---|---|';
  return `## Mutants\n\nA mutant is a deliberate bug. \`npm run faults -- --mutants\` applies each mutant as a patch to a copy of the product. A mutant is caught\nwhen its run breaks the promise.\n\n${head}\n${rows.join('\n')}\n`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
