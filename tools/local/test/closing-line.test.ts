import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The last line of a test run is what continuous integration reads: a run that went wrong in any way is not "0 failed". */
const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(root, 'tools/local/test/.closing-line-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = `import { expect, it } from 'vitest'; it('works', () => expect(1).toBe(1));`;
const files: Record<string, string> = {
  good,
  bad: `import { expect, it } from 'vitest'; it('works', () => {}); it('fails', () => expect(1).toBe(2));`,
  import: `import './nothing.ts'; ${good}`,
  empty: '',
  hook: `import { beforeAll, it } from 'vitest'; beforeAll(() => { throw new Error('no'); }); it('never runs', () => {});`,
  unhandled: `import { it } from 'vitest'; it('works', () => void Promise.reject(new Error('nobody waits')));`,
};

function run(names: readonly string[], setup = ''): Promise<{ code: number; lastLine: string }> {
  const directory = mkdtempSync(join(folder, 'run-'));
  for (const name of names) writeFileSync(join(directory, `${name}.test.ts`), files[name] ?? '');
  writeFileSync(join(directory, 'setup.ts'), setup);
  const reporter = join(root, 'tools/local/src/test/closing-line-reporter.ts');
  const config = {
    root: directory,
    test: { reporters: ['default', reporter], maxWorkers: 1, ...(setup && { globalSetup: ['./setup.ts'] }) },
  };
  writeFileSync(join(directory, 'vitest.config.ts'), `export default ${JSON.stringify(config)};`);
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(directory, 'vitest.config.ts')];
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: directory, env }, (error, stdout) => {
      done({ code: error ? Number(error.code) : 0, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' });
    });
  });
}

describe('closing line', () => {
  it('the closing line counts tests when all is well', async () => {
    expect(await run(['good'])).toEqual({ code: 0, lastLine: '1 passed, 0 failed' });
  });

  it('the closing line counts failed tests, and each file that cannot run its own', async () => {
    const { code, lastLine } = await run(['good', 'bad', 'import', 'empty', 'hook']);
    expect(code).toBe(1);
    expect(lastLine).toBe('2 passed, 4 failed');
  });

  it('the closing line counts an error that no test waited for', async () => {
    expect(await run(['unhandled'])).toEqual({ code: 1, lastLine: '1 passed, 1 failed' });
  });

  it('the closing line counts a set-up that fails', async () => {
    const { code, lastLine } = await run(['good'], `export default () => { throw new Error('no stack'); };`);
    expect(code).toBe(1);
    expect(lastLine).toBe('0 passed, 1 failed');
  });
});
