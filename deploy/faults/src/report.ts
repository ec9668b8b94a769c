import type { Scenario } from './faults/index.ts';
import { plantedBugs } from './planted/planted-bugs.ts';
import { plantedPrefix, type RunRecord } from './records.ts';

/** docs/faults.md: the table, row × promise × figure, of the latest run of every fault under every seed. */
export function reportOf(scenarios: readonly Scenario[], records: readonly RunRecord[]): string {
  const rows = [...new Set(scenarios.map(({ row }) => row))];
  const latest = new Map<string, RunRecord>();
  for (const record of records) latest.set(`${record.scenario}/${record.seed}`, record);
  const of = (name: string) =>
    [...latest.values()].filter(({ scenario }) => scenario === name).toSorted((a, b) => a.seed - b.seed);
  const sections = rows.map((row) =>
    section(
      row,
      scenarios.filter((scenario) => scenario.row === row),
      of,
    ),
  );
  return `${introduction}\n${[...sections, planted(of)].join('\n')}`;
}

const introduction = `# Under fault

What \`npm run faults\` has shown: real processes, two gateways and two meterings among them, under an open-loop load, while a
part of the system is killed, stopped or cut off. Afterwards a checker compares what the clients saw with ledger, usage, jobs
and profiles. This page is written by the bench from \`deploy/faults/records.jsonl\`; \`npm run faults\` runs what has not been
run of the present content of services/, libs/ and proto/, and \`npm run faults -- --only NAME --seeds N\` repeats a run.

A cell of a promise counts broken ones over all seeds; each must be 0. Figures are the worst of the seeds, except counts, which
are sums. Times are seconds.
`;

const worst = [
  'slowest answer, s',
  'recovered after, s',
  'drained after, s',
  'slots back, s',
  'most admitted per minute',
];
const revoked = 'revoked key last accepted after, s';
const summed = ['requests', 'unanswered', 'replayed', 'charges counted', 'jobs', 'restarts', 'pairs of faults'];

function section(row: string, scenarios: readonly Scenario[], of: (name: string) => RunRecord[]): string {
  const tables = scenarios.map((scenario) => {
    const runs = of(scenario.name);
    if (runs.length === 0) return `### ${scenario.name}\n\nExpected: ${scenario.expected}.\n\nNot run yet.\n`;
    const promises = [...new Set(runs.flatMap(({ checked }) => checked))];
    const broken = (promise: string) =>
      runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${promise}: `))).length;
    const seeds = runs.map(({ seed, commit }) => `${seed} (${commit})`).join(', ');
    const figures = [
      ...summed.map((name) => [name, sum(runs.map((run) => run.figures[name] ?? 0))] as const),
      ...[...worst, revoked].map((name) => [name, Math.max(...runs.map((run) => run.figures[name] ?? 0))] as const),
    ].filter(([, value]) => value > 0);
    return [
      `### ${scenario.name}`,
      '',
      `Expected: ${scenario.expected}. Seeds (commit): ${seeds}.`,
      '',
      '| promise | broken |',
      '|---|---|',
      ...promises.map((promise) => `| ${promise} | ${broken(promise)} |`),
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
function planted(of: (name: string) => RunRecord[]): string {
  const rows = plantedBugs.map(({ name, scenario, breaks }) => {
    const runs = of(plantedPrefix + name);
    const found = runs.flatMap((run) => run.broken.filter((text) => text.startsWith(`${breaks}: `)));
    const commits = runs.map(({ seed, commit }) => `${seed} (${commit})`).join(', ');
    const verdict =
      runs.length === 0 ? 'not run yet' : found.length > 0 ? `caught, ${found.length} times` : 'NOT CAUGHT';
    return `| ${name} | ${scenario} | ${breaks} | ${commits} | ${verdict} |`;
  });
  const head = '| bug | fault | promise it breaks | seed (commit) | |\n|---|---|---|---|---|';
  return `## Planted bugs\n\nApplied as patches to a copy, \`npm run faults -- --planted\`.\n\n${head}\n${rows.join('\n')}\n`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
