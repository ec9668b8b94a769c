import type { Reporter, TestModule } from 'vitest/node';

/**
 * Closes a run with one plain line, `N passed, N failed`, over all tests. Whatever keeps a file from running its tests
 * (an import error, a failing hook, a file without tests) and every unhandled error counts as a failure of its own.
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
      // A file can fail although none of its tests did.
      if (module.state() === 'failed' && failedHere === 0) failedHere = 1;
      failed += failedHere;
    }
    if (failed > 0) process.exitCode = 1;
    // After everything that other reporters still write.
    process.once('exit', (code) => {
      // A run that fails without a failed test (its set-up, say) is not "0 failed".
      if (code !== 0 && failed === 0) failed = 1;
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  }
}
