import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type AuditOutput, verdictOf } from './verdict.ts';

/**
 * Checks the lock file for known advisories of severity high or above. Exit codes:
 *
 * - 1: a finding, or npm failed.
 * - 75: the registry in use has no audit endpoint or is unreachable. Nothing was checked; continuous integration
 *   reports it.
 */
const unavailableExitCode = 75;

// In offline mode npm sends no request and reports no findings.
const bounds = ['--offline=false', '--fetch-retries=1', '--fetch-timeout=30000'];
const { stdout, error } = spawnSync('npm', ['audit', '--json', '--audit-level=high', ...bounds], {
  cwd: resolve(import.meta.dirname, '../../../..'),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const verdict = verdictOf(parsed(stdout));
if ('failed' in verdict) {
  process.stdout.write(`npm audit failed: ${error?.message ?? verdict.failed}\n`);
  process.exitCode = 1;
} else if ('unavailable' in verdict) {
  process.stdout.write(
    `npm audit has no result: ${verdict.unavailable}. No advisories were checked; run npm audit --audit-level=high\n` +
      'with a registry that has advisories.\n',
  );
  process.exitCode = unavailableExitCode;
} else {
  for (const finding of verdict.findings) process.stdout.write(`${finding}\n`);
  process.exitCode = verdict.findings.length > 0 ? 1 : 0;
}

function parsed(text: string | null): AuditOutput | undefined {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
