import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenarios } from './faults/index.ts';
import { mutants } from './mutants/mutants.ts';
import { reportOf, resultsIn } from './report.ts';
import { mutantPrefix, type Result } from './results.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/faults.md'), 'utf8');

const result = (more: Partial<Result>): Result => ({
  scenario: 'redis-cut',
  seed: 1,
  outcome: 'held',
  product: '2ebbf001',
  commit: 'cf97f324',
  runs: 1,
  promises: [],
  ...more,
});
const results = [
  result({}),
  result({ seed: 2 }),
  result({ seed: 3, product: '1aaaaaaa' }),
  result({ seed: 4, runs: 3, promises: ['push', 'expected'] }),
  result({ seed: 5, outcome: 'broken', runs: 2, promises: ['billing'] }),
  result({ scenario: 'redis-kill', seed: 10 }),
  ...mutants.map(({ name }, n) =>
    result({ scenario: mutantPrefix + name, outcome: n === 0 ? 'not caught' : 'caught' }),
  ),
];

it('a page of results is read back as it was written, so that a run continues where an earlier one ended', () => {
  const read = resultsIn(reportOf(results));
  expect(read).toHaveLength(results.length);
  expect(read).toEqual(expect.arrayContaining(results));
});

it('equal results of several seeds are one entry, and a result of another content is an entry of its own', () => {
  expect(reportOf(results)).toContain(
    'held 1, 2 (v1)<br>held 3 (v2)<br>held 4 (v1); runs: 3; not measured: push, expected<br>broken 5 (v1); runs: 2; broken: billing |',
  );
});

it('a page does not depend on the order in which the seeds ran, or on the order of the keys of a result', () => {
  const reordered = (value: Result) => Object.fromEntries(Object.entries(value).toReversed()) as unknown as Result;
  expect(reportOf(results.map((value, n) => (n % 2 ? reordered(value) : value)).toReversed())).toBe(reportOf(results));
});

it('docs/faults.md has a row for each fault and mutant, as the bench writes it, in at most 12 KB', () => {
  expect(page).toBe(reportOf(resultsIn(page)));
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12_288);
  for (const { name } of scenarios) expect(page).toContain(`| \`${name}\` |`);
  for (const { name } of mutants) expect(page).toContain(`\n| ${name} | \``);
});
