import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Figures } from './checker/check.ts';

/**
 * What has been run, one line of JSON each, kept with the project: a table of hours is filled over many runs, and what a
 * commit has shown holds until what runs in it changes.
 */
export interface RunRecord {
  /** Names the content of services/, libs/ and proto/: what was under test. */
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

export const isRecorded = (records: readonly RunRecord[], product: string, scenario: string, seed: number): boolean =>
  records.some((record) => record.product === product && record.scenario === scenario && record.seed === seed);

/** What is under test, by its content; undefined while some of it is not committed, because then no commit has it. */
export function productOf(root: string): { product: string; commit: string } | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const folders = ['services', 'libs', 'proto'];
  if (git('status', '--porcelain', '--', ...folders) !== '') return undefined;
  const trees = folders.map((folder) => git('rev-parse', `HEAD:${folder}`));
  const product = createHash('sha256').update(trees.join('\n')).digest('hex').slice(0, 12);
  return { product, commit: git('rev-parse', '--short', 'HEAD') };
}
