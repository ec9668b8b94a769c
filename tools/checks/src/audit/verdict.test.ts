import { expect, it } from 'vitest';
import { type AuditOutput, verdictOf } from './verdict.ts';

const metadata = { vulnerabilities: { high: 1 } };
const of = (severity: string) => ({ metadata, vulnerabilities: { a: { severity, range: '<2.0.0' } } });

it.each(['high', 'critical'])('an advisory of severity %s is a finding', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [`a <2.0.0: ${severity}`] });
});

it.each(['moderate', 'low', 'info'])('an advisory of severity %s is not a finding', (severity) => {
  expect(verdictOf(of(severity))).toEqual({ findings: [] });
});

const at = 'https://registry.example/-/npm/v1/security/advisories/bulk';

it.each<[string, AuditOutput]>([
  ['has no audit endpoint', { statusCode: 404, message: `404 Not Found - POST ${at}`, error: { summary: '' } }],
  ['does not accept the request', { statusCode: 405, error: {} }],
  ['does not know the method', { statusCode: 501, error: {} }],
  ['has no address', { message: `request to ${at} failed, reason: getaddrinfo ENOTFOUND registry.example` }],
  ['accepts no connection', { message: `request to ${at} failed, reason: connect ECONNREFUSED 192.0.2.1:443` }],
  ['accepts no connection at any address', { message: `request to ${at} failed, reason: ` }],
  ['closes the connection', { message: `request to ${at} failed, reason: socket hang up` }],
  ['does not respond', { message: `network timeout at: ${at}` }],
  ['is reported only by an error code', { error: { code: 'EAI_AGAIN' } }],
])('a registry that %s gives no result, and not an empty list of findings', (_, output) => {
  expect(verdictOf(output)).toEqual({ unavailable: expect.stringMatching(/registry/) });
});

it.each<[string, AuditOutput | null | undefined]>([
  ['there is no npm', undefined],
  ['npm prints null', null],
  ['npm prints an empty object', {}],
  ['there is no lock file', { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }],
  ['the registry fails', { statusCode: 503, message: '503 Service Unavailable', error: {} }],
  ['the registry requires a login', { statusCode: 401, error: {} }],
  [
    'the registry responds with invalid JSON',
    { message: `invalid json response body at ${at} reason: Unexpected token` },
  ],
  ['its certificate is not trusted', { message: `request to ${at} failed, reason: self-signed certificate` }],
])('the audit fails, and is not skipped, when %s', (_, output) => {
  expect(verdictOf(output)).toEqual({ failed: expect.stringMatching(/./) });
});
