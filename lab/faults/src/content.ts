import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The folders and files of the product, of what it runs with, and of the fault bench. */
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
 * These files are not part of the hash:
 *
 * - tests and documentation
 * - the detection package, and the list of categories that the gateway generates from it. No promise of the bench depends on what it detects.
 * - the code that stores and reports runs, the checker, and the detector of growth
 */
const excluded = [
  /(^|\/)test\/|\.test\.ts$|\.md$/,
  /^libs\/fingerprint\/|^services\/gateway\/src\/endpoints\/technologies\/categories\.ts$/,
  /^lab\/faults\/src\/(main|content|results|report|system\/resource-usage)\.ts$|^lab\/faults\/src\/checker\//,
];
/**
 * Raise this number when a changed checker could find a problem in a run that held before, or when a fault must show a further promise.
 * The number is part of the hash, and the files of the checker are not. A change that only removes a wrong finding therefore keeps the
 * recorded runs.
 */
const checkerEdition = 1;
const isExcluded = (path: string) => excluded.some((pattern) => pattern.test(path));

/** Returns the hash of the content at a commit. */
export function productAt(root: string, commit: string): string {
  const files = git(root, 'ls-tree', '-r', '--format=%(objectname) %(path)', commit, '--', ...contents).split('\n');
  const hash = createHash('sha256').update(`checker ${checkerEdition}\n`);
  for (const line of files) if (!isExcluded(line.slice(line.indexOf(' ') + 1))) hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, 8);
}

/** Returns the hash and the commit of the current content, or undefined while a part of it is not committed. */
export function productOf(root: string): { product: string; commit: string } | undefined {
  // A line has two letters, a space and the path. If a file was moved, its earlier path and ` -> ` precede the path.
  const changed = git(root, 'status', '--porcelain', '--untracked-files=all', '--', ...contents)
    .split('\n')
    .filter((line) => line !== '' && !isExcluded(line.slice(line.lastIndexOf(' ') + 1)));
  if (changed.length > 0) return undefined;
  return { product: productAt(root, 'HEAD'), commit: git(root, 'rev-parse', '--short', 'HEAD') };
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 }).trimEnd();
