import { expect, it } from 'vitest';
import { benchSettings, growthGroups } from './settings.ts';

const groupsOf = (...argv: string[]) => benchSettings({}, argv).groups;

it('the bench measures every group except scans and those of growth, the groups of --only, or growth alone', () => {
  expect(groupsOf().filter((group) => group.startsWith('growth'))).toEqual([]);
  expect(groupsOf()).toContain('http');
  expect(groupsOf()).not.toContain('scans');
  expect(groupsOf('--only', 'scans')).toEqual(['scans']);
  expect(groupsOf('--only', 'pages,http')).toEqual(['http', 'pages']);
  expect(groupsOf('--growth')).toEqual(growthGroups);
});

it('--only selects single groups of growth, also beside --growth, and growth stands for all of them', () => {
  expect(groupsOf('--only', 'growth-stores,growth-keys')).toEqual(['growth-keys', 'growth-stores']);
  expect(groupsOf('--growth', '--only', 'growth-stores')).toEqual(['growth-stores']);
  expect(groupsOf('--only', 'growth')).toEqual(growthGroups);
  expect(groupsOf('--only', 'growth,http')).toEqual(['http', ...growthGroups]);
});

it('an unknown group, an unknown option and an invalid number of the bench are refused by name', () => {
  expect(() => groupsOf('--only', 'http,nothing')).toThrow(/--only: nothing is not one of http/);
  expect(() => groupsOf('--growth', '--only', 'http')).toThrow(/--only: http is not one of growth-/);
  expect(() => groupsOf('--fast')).toThrow('--fast');
  expect(() => benchSettings({ BENCH_ROUNDS: '0.5' }, [])).toThrow('BENCH_ROUNDS');
  expect(() => benchSettings({ BENCH_MANY_KEYS: '501' }, [])).toThrow(
    'BENCH_MANY_KEYS must be a whole number from 1 to 500',
  );
});

it('the sizes of a growth row are settings, and the smaller one must be smaller', () => {
  const { fewEntries, manyEntries } = benchSettings({ BENCH_FEW_ENTRIES: '1000', BENCH_MANY_ENTRIES: '20000000' }, []);
  expect([fewEntries, manyEntries]).toEqual([1_000, 20_000_000]);
  expect(() => benchSettings({ BENCH_FEW_STORES: '5000', BENCH_MANY_STORES: '3000' }, [])).toThrow(
    'BENCH_FEW_STORES must be below BENCH_MANY_STORES',
  );
});
