import { expect, it } from 'vitest';
import { benchSettings } from './settings.ts';

it('the bench measures every group but growth, the groups of --only, or growth alone', () => {
  const groupsOf = (...argv: string[]) => benchSettings({}, argv).groups;
  expect(groupsOf()).not.toContain('growth');
  expect(groupsOf()).toContain('http');
  expect(groupsOf('--only', 'pages,http')).toEqual(['http', 'pages']);
  expect(groupsOf('--growth')).toEqual(['growth']);
});

it('an unknown group, an unknown option and an invalid number are refused by name', () => {
  expect(() => benchSettings({}, ['--only', 'http,nothing'])).toThrow(/--only: nothing is not one of http/);
  expect(() => benchSettings({}, ['--fast'])).toThrow('--fast');
  expect(() => benchSettings({ BENCH_ROUNDS: '0.5' }, [])).toThrow('BENCH_ROUNDS');
});
