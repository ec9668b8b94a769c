import { describe, expect, it } from 'vitest';
import { faultsOf, type Report } from './outcome.ts';

const expected = { casesMin: 100, servedCasesMin: 40, served: ['GET /v1'] };
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

describe('the outcome of fuzzing the API', () => {
  it('is clean only when everything was asked and nothing found', () => {
    expect(faultsOf(clean, expected)).toEqual([]);
  });

  it.each<[string, Partial<Report> | undefined, RegExp]>([
    ['there is no report', undefined, /no report/],
    ['a check failed', { failures: [{ title: 'Server error', operations: ['GET /v1'] }] }, /Server error: GET \/v1/],
    ['a request could not be sent', { test_cases: { ...clean.test_cases, errored: 1 } }, /could not be asked/],
    ['the run was cut short', { complete: false }, /cut short/],
    ['too little was asked', { test_cases: { ...clean.test_cases, generated: 99 } }, /fewer than 100/],
    ['too little of it met what is served', { served_cases: 39 }, /39 cases of served operations/],
    ['the document could not be read', { operations: null }, /openapi.json could not be read/],
    ['an operation was left out', { operations: { selected: 2, tested: 1 } }, /1 operations not asked/],
    [
      'a served operation never succeeded',
      { valid_rates: { 'GET /v1': { coverage: { accepted: 0 } } } },
      /was accepted/,
    ],
    ['the program failed without a word', { exit_code: 2 }, /ended with 2/],
  ])('is a fault when %s', (_, change, fault) => {
    expect(faultsOf(change && { ...clean, ...change }, expected)).toEqual([expect.stringMatching(fault)]);
  });
});
