import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { owedBy } from './checker/owed.ts';
import { promises } from './checker/promises.ts';
import { scenarioNamed, scenarios } from './faults/index.ts';
import {
  isDue,
  isGood,
  plantedPrefix,
  productOf,
  type RunRecord,
  runsOf,
  standingOf,
  unmeasuredIn,
} from './records.ts';
import { reportOf } from './report.ts';
import { notShown } from './verdict.ts';

const record = (more: Partial<RunRecord>): RunRecord => ({
  product: 'now',
  commit: 'abc',
  at: '',
  scenario: 'redis-cut',
  seed: 1,
  tookS: 1,
  figures: {},
  checked: ['one execution per key'],
  broken: [],
  ...more,
});
const owed = ['one execution per key', 'reply ≤ 10.5 s'];
const whole = record({ checked: owed });
const broken = record({ broken: ['one execution per key: no'] });

it('what was broken is due again, and the latest run of the present content counts', () => {
  const isHeld = (records: RunRecord[]) => !isDue(runsOf(records, 'now', 'redis-cut', 1), owed);
  expect(isHeld([broken])).toBe(false);
  expect(isHeld([broken, whole])).toBe(true);
  expect(isHeld([whole, broken])).toBe(false);
  expect(isHeld([{ ...whole, product: 'before' }])).toBe(false);
  expect(isHeld([{ ...whole, seed: 2 }, record({ scenario: 'redis-kill' })])).toBe(false);
});

it('a promise that was not measured makes the run due again, a few times, and the run that measured most counts', () => {
  const half = record({});
  expect(unmeasuredIn(half, owed)).toEqual(['reply ≤ 10.5 s']);
  expect([isDue([half], owed), isDue([half, half], owed), isDue([half, half, half], owed)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isDue([half, whole], owed)).toBe(false);
  expect(standingOf([whole, half])).toBe(whole);
  expect(standingOf([whole, broken, half])).toBe(half);
  expect(standingOf([half, broken])).toBe(broken);
});

it('a planted bug counts only when it was caught, whatever else broke', () => {
  const planted = { scenario: `${plantedPrefix}no dedupe`, broken: ['something: else'] };
  expect(isGood(record({ ...planted, isCaught: true }))).toBe(true);
  expect(isGood(record({ ...planted, isCaught: false }))).toBe(false);
  expect(isGood(record(planted))).toBe(false);
});

it('the report marks runs of an earlier content, and shows what a fault owes and no run measured', () => {
  const records = [record({}), record({ seed: 2, product: 'before', checked: [] })];
  const report = reportOf(scenarios, records, 'now');
  expect(report).toContain('1 (abc), 2 (abc, of an earlier content)');
  expect(report).toContain('| one execution per key | 1 of 2 measured | 0 |');
  expect(report).toContain('| reply ≤ 10.5 s | 0 of 2 measured | 0 |');
  const all = reportOf(scenarios, [record({ checked: owedBy(scenarioNamed('redis-cut')) })], 'now');
  expect(all).not.toContain('measured | 0 |');
});

it('a fault owes the end of the cache when it lasts as long, the push where that is unharmed, and what it says', () => {
  const owes = (name: string) => owedBy(scenarioNamed(name));
  expect(owes('gateway-stop')).toContain(promises.revocation);
  expect(owes('keys-kill')).not.toContain(promises.revocation);
  expect(owes('two-at-a-time')).toContain(promises.revocation);
  expect(owes('mongod-kill')).not.toContain(promises.push);
  expect(owes('redis-kill')).toContain(promises.push);
  for (const scenario of scenarios) expect(owedBy(scenario)).toContain(scenario.expected);
});

it('the verdict names what was not run, broken or not measured, and why', () => {
  const scenario = scenarioNamed('redis-cut');
  const complete = record({ checked: owedBy(scenario) });
  const said = (...runs: RunRecord[]) => notShown([scenario], [1], () => runs);
  expect(said()).toEqual(['redis-cut 1 (not run)']);
  expect(said(broken)).toEqual(['redis-cut 1 (broken)']);
  expect(said(complete)).toEqual([]);
  expect(said({ ...complete, checked: complete.checked.filter((promise) => promise !== promises.replies) })).toEqual([
    'redis-cut 1 (not measured: reply ≤ 10.5 s)',
  ]);
});

it('names what runs and what judges by its content: tests and texts beside it change nothing', () => {
  const root = mkdtempSync(join(tmpdir(), 'content-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args]);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'x');
    return productOf(root)?.product;
  };
  git('init', '-q');
  write('services/keys/src/main.ts', '1');
  write('services/keys/test/a.test.ts', '1');
  const first = commit();
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  for (const path of ['services/keys/test/a.test.ts', 'services/keys/src/b.test.ts', 'libs/ids/README.md']) {
    write(path, '2');
    expect(productOf(root)?.product).toBe(first);
    expect(commit()).toBe(first);
  }
  write('services/keys/src/main.ts', '2');
  expect(productOf(root)).toBeUndefined();
  const second = commit();
  expect(second).not.toBe(first);
  write('tools/faults/src/checker/new.ts', '1');
  expect(productOf(root)).toBeUndefined();
});
