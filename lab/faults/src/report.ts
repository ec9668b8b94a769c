import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { promises } from './checker/promises.ts';
import { type Scenario, scenarios } from './faults/index.ts';
import { type Mutant, mutants } from './mutants/mutants.ts';
import { mutantPrefix, type Result } from './results.ts';

const introduction = `# Behaviour under faults

\`npm run faults\` runs real processes, with two instances of gateway and metering, under an open-loop load. It kills, stops or cuts off a
part of the system. Afterwards a checker compares what the clients saw with ledger, usage, jobs and profiles.

This page is the record of the runs. \`npm run faults\` reads it, runs what is due, and writes it after each run. A fault is due if the current
content has no result of it, if it was broken, or if one of its promises was not measured.

- A result has the seeds, the commit, and the hash of the content of product and bench at that commit: \`held 1, 2 (COMMIT CONTENT)\`.
- A run measures a promise only if it could have broken the promise: enough requests, enough time, work in progress at the fault, and a machine
  that could measure. A held result names the promises that it did not measure.
- A result with another hash than the newest results belongs to an earlier content.
- Each fault has the promise in its row (\`expected\`; an empty one is that of the row above), and these. \`push\` is left out when the fault affects it, and \`revocation\` when the load ends
  before cached keys expire.

`;
const aboutMutants = `
A mutant is a deliberate bug, applied as a patch to a copy of the product. It is caught when its run breaks the promise.

`;

/** Returns the text of docs/faults.md. Results of faults and mutants that do not exist any more are left out. */
export const reportOf = (results: readonly Result[]): string =>
  [
    introduction,
    table(['key', 'promise'], Object.entries(promises)),
    '\n',
    faultTable(scenarios, results),
    aboutMutants,
    table(
      resultHead('mutant'),
      mutants.map((mutant) => mutantRow(mutant, results)),
    ),
  ].join('');

/** Returns the table with the rows of the wanted faults. */
export const faultTable = (wanted: readonly Scenario[], results: readonly Result[]): string =>
  table(
    resultHead('fault'),
    wanted.map(({ row, name, expected }, n) => {
      const above = wanted[n - 1];
      const isSameRow = row === above?.row;
      return [
        isSameRow ? '' : row,
        `\`--only ${name}\``,
        isSameRow && expected === above.expected ? '' : expected,
        cellOf(results.filter(({ scenario }) => scenario === name)),
      ];
    }),
  );

const mutantRow = ({ name, scenario, breaks }: Mutant, results: readonly Result[]) => [
  name,
  `\`--mutants --only ${scenario}\``,
  breaks,
  cellOf(results.filter((result) => result.scenario === mutantPrefix + name)),
];

const resultHead = (what: string) => [what, '`npm run faults -- …`', 'promise', 'last result'];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), `|${'---|'.repeat(head.length)}\n`, ...rows.map(line)].join('');
}

/** Returns the cell of the last results. Seeds with equal results share an entry. */
function cellOf(results: readonly Result[]): string {
  const bySeed = results.toSorted((a, b) => a.seed - b.seed);
  const groups = Map.groupBy(bySeed, ({ seed: _, scenario: __, ...result }) => JSON.stringify(result));
  return [...groups.values()].map(entryOf).join('<br>') || 'not run yet';
}

function entryOf(group: Result[]): string {
  const { outcome, commit, product, runs, promises: keys } = group[0] as Result;
  const seeds = group.map(({ seed }) => seed).join(', ');
  const what = outcome === 'held' ? 'not measured' : 'broken';
  const more = [...(runs > 1 ? [`runs: ${runs}`] : []), ...(keys.length > 0 ? [`${what}: ${keys.join(', ')}`] : [])];
  return [`${outcome} ${seeds} (${commit} ${product})`, ...more].join('; ');
}

const entryPattern =
  /^(?<outcome>held|broken|caught|not caught) (?<seeds>[\d, ]+) \((?<commit>\w+) (?<product>\w+)\)(?:; runs: (?<runs>\d+))?(?:; (?:broken|not measured): (?<keys>[\w, ]+))?$/;

/** Reads the results from the text of docs/faults.md. A row with another form has no result, so its fault is due. */
export function resultsIn(report: string): Result[] {
  return report.split('\n').flatMap((line) => {
    const [, first = '', command = '', , cell = ''] = line.split('|').map((part) => part.trim());
    const [, isMutant, name] = /^`(--mutants )?--only (.+)`$/.exec(command) ?? [];
    if (name === undefined) return [];
    return cell.split('<br>').flatMap((entry) => resultsOf(isMutant ? mutantPrefix + first : name, entry));
  });
}

function resultsOf(scenario: string, entry: string): Result[] {
  const { outcome, seeds = '', commit = '', product = '', runs = 1, keys } = entryPattern.exec(entry)?.groups ?? {};
  if (!outcome) return [];
  return seeds.split(', ').map((seed) => ({
    scenario,
    seed: Number(seed),
    outcome: outcome as Result['outcome'],
    product,
    commit,
    runs: Number(runs),
    promises: keys?.split(', ') ?? [],
  }));
}

export const readResults = (path: string): Result[] => resultsIn(readFileSync(path, 'utf8'));

/** Replaces the file atomically, because another bench may read it meanwhile. */
export function writeReport(path: string, results: readonly Result[]): void {
  writeFileSync(`${path}.new`, reportOf(results));
  renameSync(`${path}.new`, path);
}
