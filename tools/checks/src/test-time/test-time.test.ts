import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRealTime } from './find-real-time.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** Test files that may read or spend real time, with the reason. A key is the beginning of a path. */
const exceptions: Readonly<Record<string, string>> = {
  'lab/bench/': 'The bench measures time.',
  'lab/faults/': 'The times are inputs: the checker of faults compares real times of several processes.',
  'libs/testing/': 'The waits themselves are tested.',
  'libs/lifecycle/src/heap-growth.test.ts':
    'V8 lets a heap grow by the rate of allocation. The pauses keep that rate low on every machine.',
  'packages/cli/test/trial.test.ts': 'The duration is printed and not compared.',
  'tools/checks/src/test-time/test-time.test.ts': 'The examples are the text of tests.',
  'tools/dev-env/test/e2e/pacing.test.ts':
    'The rate is one of real time. A slow machine sends fewer requests, never more.',
};

const paths = globSync('{proto,libs,packages,services,deploy,lab,tools}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
});
const isExcept = (path: string) => Object.keys(exceptions).some((each) => path.startsWith(each));

describe('a test file', () => {
  it('a test file measures no time, does not pause, and waits for a state for at least a minute', () => {
    expect(paths.length).toBeGreaterThan(400);
    const found = paths
      .filter((path) => !isExcept(path))
      .flatMap((path) =>
        findRealTime(readFileSync(join(root, path), 'utf8')).map(({ line, what }) => `${path}:${line} ${what}`),
      );
    expect(found).toEqual([]);
  });

  it('a test file is named as an exception only while it exists', () => {
    const unused = Object.keys(exceptions).filter((each) => !paths.some((path) => path.startsWith(each)));
    expect(unused).toEqual([]);
  });
});

describe('the search for real time', () => {
  it.each([
    ['const startMs = performance.now();', 'measures time'],
    ['process.hrtime.bigint()', 'measures time'],
    ['expect(Date.now() - startMs).toBeLessThan(500);', 'measures time'],
    ['expect(Math.abs(countedAtMs - Date.now())).toBeLessThan(500);', 'measures time'],
    ["import { setTimeout as delay } from 'node:timers/promises';", 'pauses'],
    ['await new Promise((resolve) => setTimeout(resolve, 10));', 'pauses'],
    ['await systemClock.sleep(100);', 'pauses'],
    ["await waitUntil('it', () => f(1), { timeoutMs: 5_000 });", 'waits at most 5000 ms'],
    ['await expect.poll(async () => (await f()).status, { timeout: 8_000 }).toBe(200);', 'waits at most 8000 ms'],
    ['await expect\n  // why\n  .poll(f, { interval: 1, timeout: 20_000 }).toBe(1);', 'waits at most 20000 ms'],
    ['await vi.waitFor(() => expect(f({ a: 1 })).toBe(1));', 'waits at most 1000 ms'],
    ['await vi.waitFor(() => expect(f()).toBe(1), 20_000);', 'waits at most 20000 ms'],
  ])('the search for real time finds: %s', (text, what) => {
    expect(findRealTime(`\n${text}`)).toMatchObject([{ what }]);
  });

  it.each([
    'const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs };',
    'expect(expiresAtMs).toBeGreaterThan(Date.now());',
    "execFile(process.execPath, ['--eval', 'setTimeout(() => {}, 1_000)']);",
    "import { setImmediate as turn } from 'node:timers/promises';",
    'await clock.sleep(500);',
    "await waitUntil('it', () => f({ timeoutMs: 50 }));",
    'await expect.poll(() => f({ timeoutMs: 50 })).toBe(1);',
    'await vi.waitFor(() => expect(f()).toBe(1), { timeout: 60_000 });',
    'await vi.waitFor(f, patient);',
  ])('the search for real time finds nothing in: %s', (text) => {
    expect(findRealTime(text)).toEqual([]);
  });
});
