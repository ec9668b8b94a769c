import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Figures } from './checker/figures.ts';

/**
 * One recorded run: a line of JSON in `records.jsonl`, which is kept in the repository. The whole table takes hours and is
 * filled over many runs. A result stays valid until the content of the product or of the bench changes.
 */
export interface RunRecord {
  /** Hash of the content of the product and of the bench. */
  product: string;
  commit: string;
  at: string;
  scenario: string;
  seed: number;
  tookS: number;
  figures: Figures;
  /** Promises that were measured. */
  checked: string[];
  broken: string[];
  /** For a mutant: the run broke the promise that the mutant should break. */
  isCaught?: boolean;
}

/** Prefix of `scenario` in records of mutants. The recorded word stays, so that earlier records remain readable. */
export const mutantPrefix = 'planted: ';

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

/** Runs of one content, earliest first. */
export const runsOf = (records: readonly RunRecord[], product: string, scenario: string, seed: number): RunRecord[] =>
  records.filter((record) => record.product === product && record.scenario === scenario && record.seed === seed);

/** The run that counts: the latest run if it was broken, else the run since the last broken one that measured most. */
export function decisiveRunOf(runs: readonly RunRecord[]): RunRecord | undefined {
  const since = runs.slice(runs.findLastIndex((run) => !isGood(run)) + 1);
  if (since.length === 0) return runs.at(-1);
  return since.reduce((best, next) => (next.checked.length >= best.checked.length ? next : best));
}

/** A busy machine may prevent a run from measuring every promise. After this many runs the fault is no longer due. */
const maxRuns = 3;

/** A fault is due if it was never run, was broken, or has not measured every required promise. */
export function isDue(runs: readonly RunRecord[], required: readonly string[]): boolean {
  const decisive = decisiveRunOf(runs);
  if (!decisive || !isGood(decisive)) return true;
  return runs.length < maxRuns && unmeasuredIn(decisive, required).length > 0;
}

export const unmeasuredIn = ({ checked }: Pick<RunRecord, 'checked'>, required: readonly string[]): string[] =>
  required.filter((promise) => !checked.includes(promise));

/** False for a broken run and for a mutant that was not caught. */
export const isGood = ({ scenario, broken, isCaught }: RunRecord): boolean =>
  scenario.startsWith(mutantPrefix) ? (isCaught ?? false) : broken.length === 0;

/** The product, what it runs with, and the bench. */
const contents = [
  'services',
  'libs',
  'proto',
  'package-lock.json',
  'tools/local/src',
  'tools/demo-stores',
  'tools/local-stack',
  'tools/certificates',
  'lab/faults/src',
  'lab/faults/mutants',
];
/**
 * Excluded from the hash: tests, documentation, the code that stores and reports runs, the checker with the detector of growth, and the detection
 * package with the list of categories that the gateway generates from it. That package is pure, and no promise of the bench depends on what it names.
 */
const excluded = [
  /(^|\/)test\/|\.test\.ts$|\.md$/,
  /^libs\/fingerprint\/|^services\/gateway\/src\/endpoints\/technologies\/categories\.ts$/,
  /^lab\/faults\/src\/(main|records|report|verdict|system\/resource-usage)\.ts$|^lab\/faults\/src\/checker\//,
];
/**
 * Raise this when a change of the checker could break a run that held before. It is part of the hash in place of the checker's files, so a
 * change that only removes a wrong finding keeps the recorded runs.
 */
const checkerEdition = 1;
const isExcluded = (path: string) => excluded.some((pattern) => pattern.test(path));

/** Hash of the content at a commit. */
export function productAt(root: string, commit: string): string {
  const files = git(root, 'ls-tree', '-r', '--format=%(objectname) %(path)', commit, '--', ...contents).split('\n');
  const hash = createHash('sha256').update(`checker ${checkerEdition}\n`);
  for (const line of files) if (!isExcluded(line.slice(line.indexOf(' ') + 1))) hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, 12);
}

/** Hash and commit of the present content. Undefined while some of it is not committed. */
export function productOf(root: string): { product: string; commit: string } | undefined {
  // A line has two letters, a space and the path. For a moved file the earlier path and ` -> ` come before the path.
  const changed = git(root, 'status', '--porcelain', '--untracked-files=all', '--', ...contents)
    .split('\n')
    .filter((line) => line !== '' && !isExcluded(line.slice(line.lastIndexOf(' ') + 1)));
  if (changed.length > 0) return undefined;
  return { product: productAt(root, 'HEAD'), commit: git(root, 'rev-parse', '--short', 'HEAD') };
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 }).trimEnd();
