import { describe, expect, it } from 'vitest';
import { problemsOf, type Report } from './outcome.ts';

const expected = { minCases: 100, minServedCases: 40, served: ['GET /v1'] };
const clean: Report = {
  complete: true,
  exit_code: 0,
  operations: { selected: 2, tested: 2 },
  test_cases: { generated: 100, unique_failures: 0, errored: 0 },
  failures: [],
  valid_rates: { 'GET /v1': { fuzzing: { accepted: 1 } } },
  filtered: 3,
  served_cases: 40,
};

describe('outcome of fuzzing the API', () => {
  it('the outcome of fuzzing the API has no problem only when all operations were tested and no check failed', () => {
    expect(problemsOf(clean, expected)).toEqual([]);
  });

  it.each<[string, Partial<Report> | undefined, RegExp]>([
    ['there is no report', undefined, /no report/],
    ['a check failed', { failures: [{ title: 'Server error', operations: ['GET /v1'] }] }, /Server error: GET \/v1/],
    ['a request could not be sent', { test_cases: { ...clean.test_cases, errored: 1 } }, /could not be sent/],
    ['the run was not complete', { complete: false }, /not complete/],
    ['there were too few cases', { test_cases: { ...clean.test_cases, generated: 99 } }, /fewer than 100/],
    ['there were too few cases of served operations', { served_cases: 39 }, /39 cases of served operations/],
    ['the document could not be read', { operations: null }, /openapi.json could not be read/],
    ['an operation was not tested', { operations: { selected: 2, tested: 1 } }, /1 operations not tested/],
    [
      'a served operation never succeeded',
      { valid_rates: { 'GET /v1': { coverage: { accepted: 0 } } } },
      /was accepted/,
    ],
    ['the program failed without a message', { exit_code: 2 }, /ended with 2/],
  ])('the outcome of fuzzing the API has a problem when %s', (_, change, problem) => {
    expect(problemsOf(change && { ...clean, ...change }, expected)).toEqual([expect.stringMatching(problem)]);
  });
});
