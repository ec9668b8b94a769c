import type { Scenario } from './faults/index.ts';
import { plantedBugs } from './planted/planted-bugs.ts';
import { plantedPrefix, type RunRecord } from './records.ts';

/** docs/faults.md: the table, row × promise × figure, of the latest run of every fault under every seed. */
export function reportOf(scenarios: readonly Scenario[], records: readonly RunRecord[], product: string): string {
  const rows = [...new Set(scenarios.map(({ row }) => row))];
  const latest = new Map<string, RunRecord>();
  for (const record of records) latest.set(`${record.scenario}/${record.seed}`, record);
  const of = (name: string) =>
    [...latest.values()].filter(({ scenario }) => scenario === name).toSorted((a, b) => a.seed - b.seed);
  const seedsOf = (runs: readonly RunRecord[]) =>
    runs
      .map((run) => `${run.seed} (${run.commit}${run.product === product ? '' : ', of an earlier content'})`)
      .join(', ');
  const sections = rows.map((row) =>
    section(
      row,
      scenarios.filter((scenario) => scenario.row === row),
      of,
      seedsOf,
    ),
  );
  return `${introduction}\n${[...sections, planted(of, seedsOf)].join('\n')}`;
}

const introduction = `# Under fault

What \`npm run faults\` has shown: real processes, two gateways and two meterings among them, under an open-loop load, while a
part of the system is killed, stopped or cut off. Afterwards a checker compares what the clients saw with ledger, usage, jobs
and profiles. This page is written by the bench from \`deploy/faults/records.jsonl\`; \`npm run faults\` runs what has not been
run of the present content of the product and of the bench, and \`npm run faults -- --only NAME --seeds N\` repeats a run. A run
of an earlier content is marked.

A promise is shown in a run that gave it the chance to break: enough requests, long enough, on a machine that let the bench
measure. It may be broken in none. Figures are the worst of the seeds, except counts, which are sums. Times are seconds; what
was drained is counted from the end of the fault, with the load that goes on after it.
`;

const worst = [
  'slowest answer, s',
  'recovered after, s',
  'drained after, s',
  'slots back, s',
  'most sent per minute',
  'most admitted per minute',
  'load after revocation, s',
  'blur, ms',
];
const revoked = 'revoked key last accepted after, s';
const summed = [
  'requests',
  'unanswered',
  'replayed',
  'charges counted',
  'jobs',
  'allowance refused',
  'restarts',
  'pairs of faults',
  'promises not measured',
];

type SeedsOf = (runs: readonly RunRecord[]) => string;

function section(
  row: string,
  scenarios: readonly Scenario[],
  of: (name: string) => RunRecord[],
  seedsOf: SeedsOf,
): string {
  const tables = scenarios.map((scenario) => {
    const runs = of(scenario.name);
    if (runs.length === 0) return `### ${scenario.name}\n\nExpected: ${scenario.expected}.\n\nNot run yet.\n`;
    const promises = [...new Set(runs.flatMap(({ checked }) => checked))];
    const broken = (promise: string) =>
      runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${promise}: `))).length;
    const shown = (promise: string) => runs.filter(({ checked }) => checked.includes(promise)).length;
    const figures = [
      ...summed.map((name) => [name, sum(runs.map((run) => run.figures[name] ?? 0))] as const),
      ...[...worst, revoked].map((name) => [name, Math.max(...runs.map((run) => run.figures[name] ?? 0))] as const),
    ].filter(([, value]) => value > 0);
    return [
      `### ${scenario.name}`,
      '',
      `Expected: ${scenario.expected}. Seeds (commit): ${seedsOf(runs)}.`,
      '',
      '| promise | shown in runs | broken |',
      '|---|---|---|',
      ...promises.map((promise) => `| ${promise} | ${shown(promise)} of ${runs.length} | ${broken(promise)} |`),
      '',
      '| figure | |',
      '|---|---|',
      ...figures.map(([name, value]) => `| ${name} | ${Number.isInteger(value) ? value : value.toFixed(1)} |`),
      '',
    ].join('\n');
  });
  return `## ${row}\n\n${tables.join('\n')}`;
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
  return `## Planted bugs\n\nApplied as patches to a copy, \`npm run faults -- --planted\`.\n\n${head}\n${rows.join('\n')}\n`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
