import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import { scenarioNamed, scenarios } from './faults/index.ts';
import {
  decisiveRunOf,
  isDue,
  isGood,
  mutantPrefix,
  productOf,
  type RunRecord,
  runsOf,
  unmeasuredIn,
} from './records.ts';
import { reportOf } from './report.ts';
import { unprovenRuns } from './verdict.ts';

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
const required = ['one execution per key', 'reply ≤ 10.5 s'];
const whole = record({ checked: required });
const broken = record({ broken: ['one execution per key: no'] });

it('a broken run makes its fault due again, and the latest run of the present content counts', () => {
  const isHeld = (records: RunRecord[]) => !isDue(runsOf(records, 'now', 'redis-cut', 1), required);
  expect(isHeld([broken])).toBe(false);
  expect(isHeld([broken, whole])).toBe(true);
  expect(isHeld([whole, broken])).toBe(false);
  expect(isHeld([{ ...whole, product: 'before' }])).toBe(false);
  expect(isHeld([{ ...whole, seed: 2 }, record({ scenario: 'redis-kill' })])).toBe(false);
});

it('a promise that was not measured makes the fault due again, up to three runs, and the run that measured most counts', () => {
  const half = record({});
  expect(unmeasuredIn(half, required)).toEqual(['reply ≤ 10.5 s']);
  expect([isDue([half], required), isDue([half, half], required), isDue([half, half, half], required)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isDue([half, whole], required)).toBe(false);
  expect(decisiveRunOf([whole, half])).toBe(whole);
  expect(decisiveRunOf([whole, broken, half])).toBe(half);
  expect(decisiveRunOf([half, broken])).toBe(broken);
});

it('a mutant run is good only if the mutant was caught, whatever other promises were broken', () => {
  const mutant = { scenario: `${mutantPrefix}no dedupe`, broken: ['something: else'] };
  expect(isGood(record({ ...mutant, isCaught: true }))).toBe(true);
  expect(isGood(record({ ...mutant, isCaught: false }))).toBe(false);
  expect(isGood(record(mutant))).toBe(false);
});

it('the report marks runs of an earlier content, and lists required promises that no run measured', () => {
  const records = [record({}), record({ seed: 2, product: 'before', checked: [] })];
  const report = reportOf(scenarios, records, 'now');
  expect(report).toContain('1 (abc), 2 (abc, of an earlier content)');
  expect(report).toContain('| one execution per key | 1 of 2 measured | 0 |');
  expect(report).toContain('| reply ≤ 10.5 s | 0 of 2 measured | 0 |');
  const all = reportOf(scenarios, [record({ checked: requiredChecksOf(scenarioNamed('redis-cut')) })], 'now');
  expect(all).not.toContain('measured | 0 |');
});

it('the required promises include revocation for a long fault, the push unless the fault affects it, and the expectation', () => {
  const requiredOf = (name: string) => requiredChecksOf(scenarioNamed(name));
  expect(requiredOf('gateway-stop')).toContain(promises.revocation);
  expect(requiredOf('keys-kill')).not.toContain(promises.revocation);
  expect(requiredOf('two-at-a-time')).toContain(promises.revocation);
  expect(requiredOf('mongod-kill')).not.toContain(promises.push);
  expect(requiredOf('redis-kill')).toContain(promises.push);
  for (const scenario of scenarios) expect(requiredChecksOf(scenario)).toContain(scenario.expected);
});

it('the verdict lists each run that is missing, broken or not fully measured, with the reason', () => {
  const scenario = scenarioNamed('redis-cut');
  const complete = record({ checked: requiredChecksOf(scenario) });
  const unproven = (...runs: RunRecord[]) => unprovenRuns([scenario], [1], () => runs);
  expect(unproven()).toEqual(['redis-cut 1 (not run)']);
  expect(unproven(broken)).toEqual(['redis-cut 1 (broken)']);
  expect(unproven(complete)).toEqual([]);
  expect(
    unproven({ ...complete, checked: complete.checked.filter((promise) => promise !== promises.replies) }),
  ).toEqual(['redis-cut 1 (not measured: reply ≤ 10.5 s)']);
});

it('the content hash changes with the product and the bench, but not with tests, documentation, the checker or the detection package', () => {
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
  const excluded = [
    'services/keys/test/a.test.ts',
    'services/keys/src/b.test.ts',
    'libs/ids/README.md',
    'libs/fingerprint/src/data/inventory.rules.json',
    'services/gateway/src/endpoints/technologies/categories.ts',
    'lab/faults/src/checker/resumption.ts',
  ];
  for (const path of excluded) {
    write(path, '2');
    expect(productOf(root)?.product).toBe(first);
    expect(commit()).toBe(first);
  }
  write('services/keys/src/main.ts', '2');
  expect(productOf(root)).toBeUndefined();
  const second = commit();
  expect(second).not.toBe(first);
  write('lab/faults/src/faults/new.ts', '1');
  expect(productOf(root)).toBeUndefined();
});
