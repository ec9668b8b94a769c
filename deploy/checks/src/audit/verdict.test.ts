import { expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

const metadata = { vulnerabilities: { high: 1 } };
const of = (severity: string) => ({ metadata, vulnerabilities: { a: { severity, range: '<2.0.0' } } });

it.each(['high', 'critical'])('an advisory of severity %s is a finding', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [`a <2.0.0: ${severity}`] });
});

it.each(['moderate', 'low', 'info'])('an advisory of severity %s is not', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [] });
});

it('a registry that cannot be asked is not one without findings', () => {
  expect(verdictOf({ statusCode: 405, error: {} })).toEqual({ unasked: 'the registry answered 405' });
  expect(verdictOf({ error: { code: 'ENOTFOUND' } })).toEqual({ unasked: 'the registry answered ENOTFOUND' });
  expect(verdictOf({})).toEqual({ unasked: 'npm told nothing' });
  expect(verdictOf(undefined)).toEqual({ unasked: 'npm told nothing' });
});
