import { expect, it } from 'vitest';
import { type AuditOutput, verdictOf } from './verdict.ts';

const metadata = { vulnerabilities: { high: 1 } };
const of = (severity: string) => ({ metadata, vulnerabilities: { a: { severity, range: '<2.0.0' } } });

it.each(['high', 'critical'])('an advisory of severity %s is a finding', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [`a <2.0.0: ${severity}`] });
});

it.each(['moderate', 'low', 'info'])('an advisory of severity %s is not', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [] });
});

const at = 'https://registry.example/-/npm/v1/security/advisories/bulk';

it.each<[string, AuditOutput]>([
  ['has no such endpoint', { statusCode: 404, message: `404 Not Found - POST ${at}`, error: { summary: '' } }],
  ['does not take the question', { statusCode: 405, error: {} }],
  ['does not know the method', { statusCode: 501, error: {} }],
  ['is unknown here', { message: `request to ${at} failed, reason: getaddrinfo ENOTFOUND registry.example` }],
  ['takes no connection', { message: `request to ${at} failed, reason: connect ECONNREFUSED 192.0.2.1:443` }],
  ['takes none at any address', { message: `request to ${at} failed, reason: ` }],
  ['hangs up', { message: `request to ${at} failed, reason: socket hang up` }],
  ['is silent', { message: `network timeout at: ${at}` }],
  ['is named by a code alone', { error: { code: 'EAI_AGAIN' } }],
])('a registry that %s is not one without findings', (_, output) => {
  expect(verdictOf(output)).toEqual({ unasked: expect.stringMatching(/registry/) });
});

it.each<[string, AuditOutput | null | undefined]>([
  ['there is no npm', undefined],
  ['npm prints nothing of use', null],
  ['npm prints an empty object', {}],
  ['there is no lock file', { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }],
  ['the registry is broken', { statusCode: 503, message: '503 Service Unavailable', error: {} }],
  ['the registry wants a login', { statusCode: 401, error: {} }],
  ['the registry answers nonsense', { message: `invalid json response body at ${at} reason: Unexpected token` }],
  ['its certificate is not trusted', { message: `request to ${at} failed, reason: self-signed certificate` }],
])('the check fails when %s, rather than being excused', (_, output) => {
  expect(verdictOf(output)).toEqual({ failed: expect.stringMatching(/./) });
});
