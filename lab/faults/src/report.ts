import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { promises } from './checker/promises.ts';
import { type Scenario, scenarios } from './faults/index.ts';
import { type Mutant, mutants } from './mutants/mutants.ts';
import { mutantPrefix, type Result } from './results.ts';

const introduction = `# Behaviour under faults

\`npm run faults\` kills, stops or cuts off a part of a system of real processes under an open-loop load. A checker compares what the clients saw with
ledger, usage, jobs and profiles. Rows of several nodes have three of MongoDB and Kafka, and Redis with Sentinel or as a cluster. Their
\`recovery\` counts from that of the server.

This page is the record of the runs. \`npm run faults\` runs what is due, and writes it here. A fault is due if the current
content has no result of it, if it was broken, or if a promise was not measured. \`--minutes N\` bounds a call.

- A result has the seeds and the version: \`held 1, 2 (v1)\`. The last table has the commit of each version, and the hash of product and bench.
- A run measures a promise only if it could have broken it: enough requests and time, work in progress at the fault, and a machine
  that could measure. A held result names the promises that it did not measure.
- Each fault has the promise in its row (\`expected\`; an empty one is that of the row above), and these. \`push\` is left out when the fault affects it, and \`revocation\` when the load ends
  before cached keys expire.

`;
const aboutMutants = `
A mutant is a deliberate bug in a copy of the product. It is caught when its run breaks the promise.

`;

const ofFaults = '`npm run faults -- --only …`';
const ofMutants = '`npm run faults -- --mutants --only …`';
const versionHead = ['version', 'commit', 'content'];

/** Returns the text of docs/faults.md. Results of faults and mutants that do not exist any more are left out. */
export function reportOf(results: readonly Result[]): string {
  const bySeed = results.toSorted((a, b) => a.seed - b.seed);
  const rowsOf = (name: string) => bySeed.filter(({ scenario }) => scenario === name);
  const named = [...scenarios.map(({ name }) => name), ...mutants.map(({ name }) => mutantPrefix + name)];
  const versions = new Map(named.flatMap(rowsOf).map((result) => [versionOf(result), result]));
  const names = new Map([...versions.keys()].map((version, n) => [version, `v${n + 1}`]));
  const mutantRow = ({ name, scenario, breaks }: Mutant) => [
    name,
    `\`${scenario}\``,
    breaks,
    cellOf(rowsOf(mutantPrefix + name), names),
  ];
  return [
    introduction,
    table(['key', 'promise'], Object.entries(promises)),
    '\n',
    faultTable(scenarios, results, names),
    aboutMutants,
    table(resultHead('mutant', ofMutants), mutants.map(mutantRow)),
    '\n',
    table(
      versionHead,
      [...versions].map(([version, { commit, product }]) => [names.get(version) ?? '', commit, product]),
    ),
  ].join('');
}

const versionOf = ({ commit, product }: Pick<Result, 'commit' | 'product'>): string => `${commit} ${product}`;

/** Returns the table with the rows of the wanted faults. `names` has the names of versions. A version without a name is written out. */
export const faultTable = (
  wanted: readonly Scenario[],
  results: readonly Result[],
  names: ReadonlyMap<string, string> = new Map(),
): string =>
  table(
    resultHead('fault', ofFaults),
    wanted.map(({ row, name, expected }, n) => {
      const above = wanted[n - 1];
      const isSameRow = row === above?.row;
      return [
        isSameRow ? '' : row,
        `\`${name}\``,
        isSameRow && expected === above.expected ? '' : expected,
        cellOf(
          results.filter(({ scenario }) => scenario === name),
          names,
        ),
      ];
    }),
  );

const resultHead = (what: string, command: string) => [what, command, 'promise', 'last result'];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), `|${'---|'.repeat(head.length)}\n`, ...rows.map(line)].join('');
}

/** Returns the cell of the last results. Seeds with equal results share an entry. */
function cellOf(results: readonly Result[], names: ReadonlyMap<string, string>): string {
  const bySeed = results.toSorted((a, b) => a.seed - b.seed);
  const groups = Map.groupBy(bySeed, ({ outcome, commit, product, runs, promises: keys }) =>
    JSON.stringify([outcome, commit, product, runs, keys]),
  );
  return [...groups.values()].map((group) => entryOf(group, names)).join('<br>') || 'not run yet';
}

function entryOf(group: Result[], names: ReadonlyMap<string, string>): string {
  const first = group[0] as Result;
  const { outcome, runs, promises: keys } = first;
  const seeds = group.map(({ seed }) => seed).join(', ');
  const what = outcome === 'held' ? 'not measured' : 'broken';
  const more = [...(runs > 1 ? [`runs: ${runs}`] : []), ...(keys.length > 0 ? [`${what}: ${keys.join(', ')}`] : [])];
  return [`${outcome} ${seeds} (${names.get(versionOf(first)) ?? versionOf(first)})`, ...more].join('; ');
}

const entryPattern =
  /^(?<outcome>held|broken|caught|not caught) (?<seeds>[\d, ]+) \((?<version>\w+)\)(?:; runs: (?<runs>\d+))?(?:; (?:broken|not measured): (?<keys>[\w, ]+))?$/;

type Version = Pick<Result, 'commit' | 'product'>;

/** Reads the results from the text of docs/faults.md. A row with another form has no result, so its fault is due. */
export function resultsIn(report: string): Result[] {
  const rows = report.split('\n').map((line) => line.split('|').map((part) => part.trim()));
  const versions = new Map(
    rows
      .filter(([, version = '']) => /^v\d+$/.test(version))
      .map(([, version = '', commit = '', product = '']) => [version, { commit, product }]),
  );
  let isOfMutants = false;
  return rows.flatMap(([, first = '', command = '', , cell = '']) => {
    if (command === ofFaults || command === ofMutants) isOfMutants = command === ofMutants;
    const [, name] = /^`([\w-]+)`$/.exec(command) ?? [];
    if (name === undefined) return [];
    return cell.split('<br>').flatMap((entry) => resultsOf(isOfMutants ? mutantPrefix + first : name, entry, versions));
  });
}

function resultsOf(scenario: string, entry: string, versions: ReadonlyMap<string, Version>): Result[] {
  const { outcome, seeds = '', version = '', runs = 1, keys } = entryPattern.exec(entry)?.groups ?? {};
  const content = versions.get(version);
  if (!outcome || !content) return [];
  return seeds.split(', ').map((seed) => ({
    scenario,
    seed: Number(seed),
    outcome: outcome as Result['outcome'],
    ...content,
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
