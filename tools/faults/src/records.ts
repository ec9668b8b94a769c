import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Figures } from './checker/figures.ts';

/**
 * What has been run, one line of JSON each, kept with the project: a table of hours is filled over many runs, and what a
 * commit has shown holds until what runs in it changes.
 */
export interface RunRecord {
  /** Names the content of what was under test and of what tested it. */
  product: string;
  commit: string;
  at: string;
  scenario: string;
  seed: number;
  tookS: number;
  figures: Figures;
  /** Promises that were checked. */
  checked: string[];
  broken: string[];
  /** Of a planted bug: the promise that it breaks was found broken. */
  isCaught?: boolean;
}

/** Runs of a patched copy are recorded under names that start so. */
export const plantedPrefix = 'planted: ';

export function readRecords(path: string): RunRecord[] {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunRecord);
}

export function appendRecord(path: string, record: RunRecord): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}

/** Runs of one content, the earliest first. */
export const runsOf = (records: readonly RunRecord[], product: string, scenario: string, seed: number): RunRecord[] =>
  records.filter((record) => record.product === product && record.scenario === scenario && record.seed === seed);

/** The run that counts: the latest when it was broken, else of those since then the one that measured most. */
export function standingOf(runs: readonly RunRecord[]): RunRecord | undefined {
  const since = runs.slice(runs.findLastIndex((run) => !isGood(run)) + 1);
  if (since.length === 0) return runs.at(-1);
  return since.reduce((best, next) => (next.checked.length >= best.checked.length ? next : best));
}

/** A busy machine may keep a run from measuring everything; after so many it is left at that, and said. */
const runsMax = 3;

/** Due is what was never run, what was broken, and what did not measure every promise that it owes. */
export function isDue(runs: readonly RunRecord[], owed: readonly string[]): boolean {
  const standing = standingOf(runs);
  if (!standing || !isGood(standing)) return true;
  return runs.length < runsMax && unmeasuredIn(standing, owed).length > 0;
}

export const unmeasuredIn = ({ checked }: Pick<RunRecord, 'checked'>, owed: readonly string[]): string[] =>
  owed.filter((promise) => !checked.includes(promise));

/** What was broken is run again, and so is a planted bug that was not caught. */
export const isGood = ({ scenario, broken, isCaught }: RunRecord): boolean =>
  scenario.startsWith(plantedPrefix) ? (isCaught ?? false) : broken.length === 0;

/** What runs, what it runs with, and what judges it. */
const contents = [
  'services',
  'libs',
  'proto',
  'package-lock.json',
  'tools/local/src',
  'tools/demo-stores',
  'tools/local-stack',
  'tools/certificates',
  'tools/faults/src',
  'tools/faults/planted',
];
/** Neither runs nor judges: tests, what is for people to read, and how runs are kept and told of. */
const isBeside = (path: string) =>
  /(^|\/)test\/|\.test\.ts$|\.md$|^tools\/faults\/src\/(main|records|report|verdict)\.ts$/.test(path);

/** What was under test at a commit, by its content. */
export function productAt(root: string, commit: string): string {
  const files = git(root, 'ls-tree', '-r', '--format=%(objectname) %(path)', commit, '--', ...contents).split('\n');
  const hash = createHash('sha256');
  for (const line of files) if (!isBeside(line.slice(line.indexOf(' ') + 1))) hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, 12);
}

/** What is under test, by its content; undefined while some of it is not committed, because then no commit has it. */
export function productOf(root: string): { product: string; commit: string } | undefined {
  // A line is two letters, a space and the path, of a file that was moved the earlier one and ` -> ` before it.
  const changed = git(root, 'status', '--porcelain', '--untracked-files=all', '--', ...contents)
    .split('\n')
    .filter((line) => line !== '' && !isBeside(line.slice(line.lastIndexOf(' ') + 1)));
  if (changed.length > 0) return undefined;
  return { product: productAt(root, 'HEAD'), commit: git(root, 'rev-parse', '--short', 'HEAD') };
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 }).trimEnd();
