import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { patchedCopy } from '../../../../../lab/faults/src/mutants/copy.ts';

/** A deliberate bug: subscriptions writes the lists of the test environment to the collection of production. */
const patch = join(import.meta.dirname, 'lists-without-environment.patch');
const root = resolve(import.meta.dirname, '../../../../..');
const watch = relative(root, join(import.meta.dirname, 'test-tenant.test.ts'));
const ofTests = ['vitest.config.ts', 'tsconfig.json', 'tsconfig.base.json'];
const maxMs = 900_000;

it('the patch of the mutant of the test tenant applies to the present sources', () => {
  const check = ['apply', '--check', '--whitespace=nowarn', patch];
  expect(() => execFileSync('git', check, { cwd: root, stdio: 'pipe' })).not.toThrow();
});

it('a mutant that forgets the environment in one place is caught by the watch of the test tenant', {
  tags: ['nightly'],
  timeout: maxMs,
}, async () => {
  // Outside the checkout, because git apply inside a repository resolves paths against that repository.
  const copy = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    patchedCopy(root, copy, patch);
    for (const name of ofTests) cpSync(join(root, name), join(copy, name));
    const output = await runWatch(copy);
    expect(output).toMatch(/AssertionError: expected \[ 'subscriptions\.lists' \] to deeply equal \[\]/);
    expect(output).toMatch(/1 failed/);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

/** Runs the first test of the watch in the copy, on the servers of this run. Resolves to its output. */
function runWatch(copy: string): Promise<string> {
  const ofRunner = Object.keys(process.env).filter((name) => name.startsWith('VITEST'));
  const env = { ...process.env, NO_COLOR: '1', ...Object.fromEntries(ofRunner.map((name) => [name, undefined])) };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'integration'];
  const args = ['--conditions=@shopscope/source', ...vitest, watch, '-t', 'no operation with a test key'];
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: copy, env, timeout: maxMs, maxBuffer: 64 * 1_048_576 }, (_, out, err) =>
      done(out + err),
    );
  });
}
