import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type AuditOutput, verdictOf } from './verdict.ts';

/**
 * Known advisories of severity high or above against the lock file. Exits with 1 for a finding, and when npm could not
 * do its work; with 75, which is "try again elsewhere", when the registry in use has no such endpoint or cannot be
 * reached: then nothing was checked, and continuous integration says so.
 */
const unaskedCode = 75;

// Offline, npm asks nobody and prints that there is nothing.
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
} else if ('unasked' in verdict) {
  process.stdout.write(
    `npm audit could not be asked: ${verdict.unasked}. Nothing is known of advisories; run npm audit --audit-level=high\n` +
      'where the registry in use has them.\n',
  );
  process.exitCode = unaskedCode;
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
