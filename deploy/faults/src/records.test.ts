import { expect, it } from 'vitest';
import { scenarios } from './faults/index.ts';
import { isGood, latestOf, plantedPrefix, type RunRecord } from './records.ts';
import { reportOf } from './report.ts';

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

it('what was broken is due again, and the latest run of the present content counts', () => {
  const broken = record({ broken: ['one execution per key: no'] });
  const latest = (records: RunRecord[]) => latestOf(records, 'now', 'redis-cut', 1);
  const isHeld = (records: RunRecord[]) => {
    const found = latest(records);
    return found !== undefined && isGood(found);
  };
  expect(isHeld([broken])).toBe(false);
  expect(isHeld([broken, record({})])).toBe(true);
  expect(isHeld([record({}), broken])).toBe(false);
  expect(isHeld([record({ product: 'before' })])).toBe(false);
  expect(isHeld([record({ seed: 2 }), record({ scenario: 'redis-kill' })])).toBe(false);
});

it('a planted bug counts only when it was caught, whatever else broke', () => {
  const planted = { scenario: `${plantedPrefix}no dedupe`, broken: ['something: else'] };
  expect(isGood(record({ ...planted, isCaught: true }))).toBe(true);
  expect(isGood(record({ ...planted, isCaught: false }))).toBe(false);
  expect(isGood(record(planted))).toBe(false);
});

it('the report marks runs of an earlier content and counts the runs that showed a promise', () => {
  const records = [record({}), record({ seed: 2, product: 'before', checked: [] })];
  const report = reportOf(scenarios, records, 'now');
  expect(report).toContain('1 (abc), 2 (abc, of an earlier content)');
  expect(report).toContain('| one execution per key | 1 of 2 | 0 |');
});
