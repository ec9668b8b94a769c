import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

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
  /^lab\/faults\/src\/(main|content|results|report|system\/resource-usage)\.ts$|^lab\/faults\/src\/checker\//,
];
/**
 * Raise this when a change of the checker could break a run that held before, or when a fault must show another promise. It is part of
 * the hash in place of the checker's files, so a change that only removes a wrong finding keeps the recorded runs.
 */
const checkerEdition = 1;
const isExcluded = (path: string) => excluded.some((pattern) => pattern.test(path));

/** Hash of the content at a commit. */
export function productAt(root: string, commit: string): string {
  const files = git(root, 'ls-tree', '-r', '--format=%(objectname) %(path)', commit, '--', ...contents).split('\n');
  const hash = createHash('sha256').update(`checker ${checkerEdition}\n`);
  for (const line of files) if (!isExcluded(line.slice(line.indexOf(' ') + 1))) hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, 8);
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
