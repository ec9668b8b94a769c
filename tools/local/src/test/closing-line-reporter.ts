import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line for all tests: `N passed, N failed`. Each unhandled error counts as a failure, and so does
 * each file that cannot run its tests (an import error, a failing hook, a file without tests).
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state !== 'skipped') failedHere += 1;
      }
      // A file can fail without a failed test.
      if (module.state() === 'failed' && failedHere === 0) failedHere = 1;
      failed += failedHere;
    }
    if (failed > 0) process.exitCode = 1;
    // Written after the output of all other reporters.
    process.once('exit', (code) => {
      // A run can fail without a failed test, for example in its set-up. Then the line must not be "0 failed".
      if (code !== 0 && failed === 0) failed = 1;
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  }
}
