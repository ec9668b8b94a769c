import type { TestModule } from 'vitest/node';

/** The variable with the file to which the reporter writes the results. Without it the reporter prints the closing line. */
export const resultsFileVariable = 'SHOPSCOPE_TEST_RESULTS';

export interface FileResult {
  /** Absolute path. */
  path: string;
  project: string;
  passed: number;
  /** A file that cannot run its tests (an import error, a failing hook, a file without tests) counts as one failure. */
  failed: number;
  failures: string[];
  /** The names of failed tests, without other failures. */
  failedTests: string[];
  passedTests: string[];
}

export interface TestResults {
  files: FileResult[];
  /** Unhandled errors that name no test file. */
  unattributed: number;
}

/** An unhandled error counts as a failure of the file whose tests were running. */
export function testResultsOf(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): TestResults {
  const files = modules.map(fileResultOf);
  let unattributed = 0;
  for (const error of unhandledErrors) {
    const { VITEST_TEST_PATH: path, message } = error as { VITEST_TEST_PATH?: string; message?: string };
    const file = files.find((candidate) => candidate.path === path);
    if (file) {
      file.failed += 1;
      file.failures.push(`unhandled error: ${message}`);
    } else unattributed += 1;
  }
  return { files, unattributed };
}

function fileResultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()];
  const namesOf = (isWanted: (state: string) => boolean) =>
    tests.filter((test) => isWanted(test.result().state)).map((test) => test.fullName);
  const passedTests = namesOf((state) => state === 'passed');
  const failedTests = namesOf((state) => !['passed', 'skipped'].includes(state));
  const failures = [...failedTests];
  // A file can fail without a failed test.
  if (module.state() === 'failed' && failures.length === 0) failures.push('the file could not run its tests');
  return {
    path: module.moduleId,
    project: module.project.name,
    passed: passedTests.length,
    failed: failures.length,
    failures,
    failedTests,
    passedTests,
  };
}

export const countsOf = ({ files, unattributed }: TestResults) => ({
  passed: files.reduce((sum, file) => sum + file.passed, 0),
  failed: files.reduce((sum, file) => sum + file.failed, unattributed),
});

export const closingLine = ({ passed, failed }: { passed: number; failed: number }) =>
  `${passed} passed, ${failed} failed`;
