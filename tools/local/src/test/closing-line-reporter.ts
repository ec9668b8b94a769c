import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { closingLine, countsOf, resultsFileVariable, testResultsOf } from './test-results.ts';

/**
 * Ends a run with one plain line for all tests: `N passed, N failed`. A program that set {@link resultsFileVariable} gets the
 * results in that file instead, and prints the line itself.
 */
export default class ClosingLineReporter implements Reporter {
  readonly #resultsFile = process.env[resultsFileVariable];

  constructor() {
    // A test that runs vitest itself must not write the results of this run.
    delete process.env[resultsFileVariable];
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const results = testResultsOf(modules, unhandledErrors);
    const counts = countsOf(results);
    if (counts.failed > 0) process.exitCode = 1;
    if (this.#resultsFile) {
      writeFileSync(this.#resultsFile, JSON.stringify(results));
      return;
    }
    // Written after the output of all other reporters.
    process.once('exit', (code) => {
      // A run can fail without a failed test, for example in its set-up. Then the line must not be "0 failed".
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
      process.stdout.write(`${closingLine(counts)}\n`);
    });
  }
}
