import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { closingLine, countsOf, type FileResult, resultsFileVariable, type TestResults } from './test-results.ts';

/** With more unsteady files the suite says too little about a change, and the run fails. */
export const maxUnsteadyFiles = 2;
/** More failed files than these are the fault of a change. None of them is run again. */
export const maxFilesRunAgain = 8;

export interface SuiteOptions {
  /** Arguments of Node that run vitest for all files. */
  vitest: readonly string[];
  root: string;
  print(line: string): void;
}

/**
 * Runs the whole suite, and then each file that failed once more, alone. Resolves to the exit code.
 *
 * - A file that fails again -> the run fails.
 * - A file that passes alone is unsteady: it is listed, and its tests count as passed. More than {@link maxUnsteadyFiles} -> the
 *   run fails. A test that failed or passed before and does not run again has not passed.
 * - A failure that belongs to no file, for example of the set-up, and a run without results -> the run fails, without a second try.
 * - The last line is `N passed, N failed`. It counts each test once, by the last run of its file.
 */
export async function runSuite({ vitest, root, print }: SuiteOptions): Promise<number> {
  const first = await runVitest(vitest, root);
  const failedFiles = first.results.files.filter((file) => file.failed > 0);
  const mayRunAgain = first.isComplete && failedFiles.length > 0 && failedFiles.length <= maxFilesRunAgain;
  if (!mayRunAgain) {
    const counts = countsOf(first.results);
    if (first.code !== 0) counts.failed = Math.max(1, counts.failed);
    print(closingLine(counts));
    return first.code || Number(counts.failed > 0);
  }
  const unsteady: FileResult[] = [];
  const final = new Map(first.results.files.map((file) => [keyOf(file), file]));
  for (const file of failedFiles) {
    print(`\nRunning ${relative(root, file.path)} again, alone …`);
    const second = await runVitest([...vitest, `--project=${file.project}`, file.path], root);
    const again = second.results.files.find((candidate) => keyOf(candidate) === keyOf(file));
    const passedAlone = second.code === 0 && again !== undefined && again.passed > 0 && hasRunAll(again, file);
    if (passedAlone) unsteady.push(file);
    // A second run that fails outside the file's tests, or runs none, is a failure too.
    else file.failed = Math.max(1, again?.failed ?? file.failed);
    final.set(keyOf(file), passedAlone ? again : { ...(again ?? file), failed: file.failed });
  }
  if (unsteady.length > 0) print(listOf(unsteady, root));
  const counts = countsOf({ files: [...final.values()], unattributed: first.results.unattributed });
  const passes = counts.failed === 0 && unsteady.length <= maxUnsteadyFiles;
  print(closingLine(counts));
  return passes ? 0 : 1;
}

function listOf(unsteady: readonly FileResult[], root: string): string {
  const limit = unsteady.length > maxUnsteadyFiles ? `; more than ${maxUnsteadyFiles} fail the run` : '';
  const lines = unsteady.flatMap((file) => [
    `  ${relative(root, file.path)}`,
    ...file.failures.map((title) => `    failed in the suite: ${title}`),
  ]);
  return [
    `\nUnsteady files, which failed in the suite and passed alone: ${unsteady.length}${limit}`,
    ...lines,
    '',
  ].join('\n');
}

/** Whether each test that ran before has passed now. */
const hasRunAll = ({ passedTests }: FileResult, before: FileResult) =>
  [...before.failedTests, ...before.passedTests].every((name) => passedTests.includes(name));

const keyOf = ({ project, path }: FileResult) => `${project} ${path}`;

interface VitestRun {
  code: number;
  results: TestResults;
  /** The run ended by itself, and each failure belongs to a file. */
  isComplete: boolean;
}

async function runVitest(args: readonly string[], root: string): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'shopscope-test-results-'));
  const file = join(folder, 'results.json');
  try {
    const code = await run(args, { cwd: root, env: { ...process.env, [resultsFileVariable]: file } });
    if (!existsSync(file)) return { code: code || 1, results: { files: [], unattributed: 1 }, isComplete: false };
    const results = JSON.parse(readFileSync(file, 'utf8')) as TestResults;
    const { failed } = countsOf(results);
    return { code, results, isComplete: code <= 128 && results.unattributed === 0 && (code === 0) === (failed === 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node to its end and forwards signals. Resolves to the exit code. */
function run(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { ...options, stdio: 'inherit' });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, forward);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      done(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}
