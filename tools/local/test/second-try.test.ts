import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(root, 'tools/local/test/.second-try-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each run of `run` starts two or three processes. By day, the tests cover the ways that most failures take. */
const nightly = { tags: ['nightly'] };

const good = `import { expect, it } from 'vitest'; it('works', () => expect(1).toBe(1));`;
const bad = `import { expect, it } from 'vitest'; it('works', () => {}); it('fails', () => expect(1).toBe(2));`;
/** Fails in its first run: the run leaves a file behind. */
const unsteady = (failure: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
const seen = import.meta.filename + '.seen';
const isFirst = !existsSync(seen);
writeFileSync(seen, '');
it('is steady', () => {});
${failure}`;
const failsOnce = unsteady(`it('holds in the second run only', () => expect(isFirst).toBe(false));`);
const rejectsOnce = unsteady(
  `it('leaves an error behind', () => { if (isFirst) void Promise.reject(new Error('nobody waits')); });`,
);
const hookFailsOnce = unsteady(`beforeAll(() => { if (isFirst) throw new Error('no'); });`);
/** Its one test fails in the first run and is skipped in the second. */
const emptyAgain = unsteady(`it.runIf(isFirst)('runs once', () => expect(1).toBe(2));`).replace(
  `it('is steady', () => {});`,
  '',
);

/** Tests that run in the first run only, beside one that always passes. */
const skipsFailureAgain = unsteady(`it.runIf(isFirst)('fails once', () => expect(1).toBe(2));`);
const skipsSuccessAgain = unsteady(`it.runIf(isFirst)('passes once', () => {});
it('holds in the second run only', () => expect(isFirst).toBe(false));`);

async function run(files: Record<string, string>, setup = '') {
  const directory = mkdtempSync(join(folder, 'run-'));
  for (const [name, source] of Object.entries(files)) writeFileSync(join(directory, `${name}.test.ts`), source);
  writeFileSync(join(directory, 'setup.ts'), setup);
  const config = {
    root: directory,
    test: {
      reporters: ['default', join(root, 'tools/local/src/test/closing-line-reporter.ts')],
      projects: [{ test: { name: 'some', include: ['*.test.ts'], ...(setup && { globalSetup: ['./setup.ts'] }) } }],
      maxWorkers: 2,
    },
  };
  writeFileSync(join(directory, 'vitest.config.ts'), `export default ${JSON.stringify(config)};`);
  writeFileSync(
    join(directory, 'suite.ts'),
    `import { runSuite } from '${join(root, 'tools/local/src/test/run-suite.ts')}';
process.exitCode = await runSuite({
  vitest: ['${join(root, 'node_modules/vitest/vitest.mjs')}', 'run', '--config=${join(directory, 'vitest.config.ts')}'],
  root: '${directory}',
  print: (line) => console.log(line),
});`,
  );
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((done) => {
    execFile(process.execPath, [join(directory, 'suite.ts')], { cwd: directory, env }, (error, out) =>
      done({ code: error ? Number(error.code) : 0, stdout: out }),
    );
  });
  const lines = stdout.trimEnd().split('\n');
  const start = lines.findIndex((line) => line.startsWith('Unsteady files'));
  const listed = start < 0 ? [] : lines.slice(start, -1).filter((line) => line !== '');
  return { code, listed, lastLine: lines.at(-1), runs: lines.filter((line) => line.startsWith('Running ')).length };
}

describe('test file that fails in continuous integration', () => {
  it('a test file that fails in CI runs once more, alone; when it passes, it is listed as unsteady and its tests count once', async () => {
    expect(await run({ good, failsOnce })).toEqual({
      code: 0,
      listed: [
        'Unsteady files, which failed in the suite and passed alone: 1',
        '  failsOnce.test.ts',
        '    failed in the suite: holds in the second run only',
      ],
      lastLine: '3 passed, 0 failed',
      runs: 1,
    });
  });

  it('a test file that fails in continuous integration fails the run when it fails again', async () => {
    expect(await run({ good, bad, failsOnce })).toMatchObject({ code: 1, lastLine: '4 passed, 1 failed', runs: 2 });
  });

  it('a test file is unsteady as well when a hook or an error that no test waited for failed it', nightly, async () => {
    const result = await run({ good, hookFailsOnce, rejectsOnce });
    expect(result).toMatchObject({ code: 0, lastLine: '4 passed, 0 failed', runs: 2 });
    expect(result.listed).toContain('    failed in the suite: unhandled error: nobody waits');
  });

  it(
    'a test file that fails in continuous integration fails the run together with two others that are unsteady',
    nightly,
    async () => {
      const result = await run({ good, a: failsOnce, b: failsOnce, c: failsOnce });
      expect(result).toMatchObject({ code: 1, lastLine: '7 passed, 0 failed', runs: 3 });
      expect(result.listed[0]).toBe(
        'Unsteady files, which failed in the suite and passed alone: 3; more than 2 fail the run',
      );
    },
  );

  it(
    'a test file that fails in continuous integration fails the run when its second run has no test',
    nightly,
    async () => {
      expect(await run({ good, emptyAgain })).toMatchObject({ code: 1, lastLine: '1 passed, 1 failed', listed: [] });
    },
  );

  it.each([
    ['failed', skipsFailureAgain, '2 passed, 1 failed'],
    ['passed', skipsSuccessAgain, '3 passed, 1 failed'],
  ])(
    'a test file fails the run when its second run skips a test that %s in the first',
    nightly,
    async (_, file, lastLine) => {
      expect(await run({ good, file })).toMatchObject({ code: 1, lastLine, listed: [], runs: 1 });
    },
  );

  it('a test file gets no second run when more files fail than single unsteady tests explain', nightly, async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, failsOnce]));
    expect(await run(files)).toMatchObject({ code: 1, lastLine: '9 passed, 9 failed', runs: 0 });
  });

  it('a test file gets no second run when the set-up of the suite failed', nightly, async () => {
    const setup = `export default () => { throw new Error('no stack'); };`;
    expect(await run({ good }, setup)).toMatchObject({ code: 1, lastLine: '0 passed, 1 failed', runs: 0 });
  });
});

it('a test that runs vitest itself does not write the results of the suite', nightly, async () => {
  const nested = `import { expect, it } from 'vitest';
it('has no file for results', () => expect(process.env.SHOPSCOPE_TEST_RESULTS).toBe(undefined));`;
  expect(await run({ nested })).toMatchObject({ code: 0, lastLine: '1 passed, 0 failed' });
});

it('a suite of tests without failures runs once', nightly, async () => {
  expect(await run({ good })).toEqual({ code: 0, listed: [], lastLine: '1 passed, 0 failed', runs: 0 });
});
