import { createPublicKey, randomBytes } from 'node:crypto';
import { dayMs } from '@shopscope/clock';
import { developmentSigningKey, isDevelopmentKey } from '@shopscope/ids';
import { describe, expect, it } from 'vitest';
import { loadConfig, pacingLimits, permitSigningKey, refreshPolicy, visitIntervalMs } from './config.ts';

const needed = {
  MONGODB_URL: 'mongodb://127.0.0.1',
  KAFKA_BROKERS: '127.0.0.1:9092',
  HOST: '127.0.0.1',
  PERMIT_SIGNING_KEY: `1:${randomBytes(32).toString('base64')}`,
};

it('the defaults of the configuration are the documented ones', () => {
  expect(loadConfig(needed)).toMatchObject({
    GRPC_PORT: 50054,
    ADMIN_PORT: 9084,
    MONGODB_DATABASE: 'scan_scheduler',
    LEASE_MS: 30_000,
    CLAIM_WAIT_MS: 60_000,
    MERGE_WAIT_MS: 120_000,
    MERGE_LAG_MAX: 500,
    JOB_RETENTION_DAYS: 90,
  });
});

it('jobs are kept at least as long as metering knows their charges', () => {
  expect(loadConfig({ ...needed, JOB_RETENTION_DAYS: '30' }).JOB_RETENTION_DAYS).toBe(30);
  expect(() => loadConfig({ ...needed, JOB_RETENTION_DAYS: '29' })).toThrow('JOB_RETENTION_DAYS');
});

it('the visit interval is longer in production', () => {
  expect(visitIntervalMs(loadConfig(needed))).toBe(30_000);
  expect(visitIntervalMs(loadConfig({ ...needed, SHOPSCOPE_ENV: 'test' }))).toBe(1_000);
  expect(visitIntervalMs(loadConfig({ ...needed, VISIT_INTERVAL_MS: '0' }))).toBe(0);
});

describe('limits of pacing', () => {
  const limitsOf = (env: Record<string, string>) => pacingLimits(loadConfig({ ...needed, ...env }));
  const platform = { name: 'big', addresses: ['192.0.2.7/24', '2001:db8::1'], requests_per_second: 0.5 };

  it('the limits of pacing have no platform in production by default; elsewhere they have private networks, which need no pause', () => {
    expect(limitsOf({})).toEqual({ domainRequestsPerSecond: 4, addressRequestsPerSecond: 5, platforms: [] });
    const [own, ...others] = limitsOf({ SHOPSCOPE_ENV: 'development' }).platforms;
    expect(others).toEqual([]);
    expect(own).toMatchObject({
      networks: expect.arrayContaining([expect.objectContaining({ text: '127.0.0.0/8' })]),
      requestsPerSecond: 100_000,
      domainRequestsPerSecond: 100_000,
    });
    expect(limitsOf({ SHOPSCOPE_ENV: 'development', PACING_PLATFORMS: '[]' }).platforms).toEqual([]);
  });

  it('the limits of pacing are those of the settings', () => {
    const env = { PACING_DOMAIN_REQUESTS_PER_SECOND: '0.5', PACING_ADDRESS_REQUESTS_PER_SECOND: '2' };
    expect(limitsOf({ ...env, PACING_PLATFORMS: JSON.stringify([platform]) })).toMatchObject({
      domainRequestsPerSecond: 0.5,
      addressRequestsPerSecond: 2,
      platforms: [
        { name: 'big', networks: [{ text: '192.0.2.0/24' }, { text: '2001:db8::1/128' }], requestsPerSecond: 0.5 },
      ],
    });
  });

  it.each([
    ['{', /PACING_PLATFORMS: must be JSON/],
    ['{}', /PACING_PLATFORMS: must be a list/],
    [[{ ...platform, addresses: ['192.0.2.0/33'] }], /\[0\]\[addresses\]\[0\] must be a network/],
    [[{ ...platform, requests_per_second: 0 }], /\[0\]\[requests_per_second\] must be at least 0.01/],
    [[{ ...platform, rate: 1 }], /\[0\] .*rate/],
    [[platform, platform], /two entries have the same name/],
  ])('invalid limits of pacing are refused with the name of the field: %j', (platforms, message) => {
    const text = typeof platforms === 'string' ? platforms : JSON.stringify(platforms);
    expect(() => limitsOf({ PACING_PLATFORMS: text })).toThrow(message);
  });

  it.each(['0', 'fast', '-1'])('limits of pacing are refused when a rate is %s', (rate) => {
    expect(() => limitsOf({ PACING_ADDRESS_REQUESTS_PER_SECOND: rate })).toThrow(/PACING_ADDRESS_REQUESTS_PER_SECOND/);
  });
});

it('profiles are refreshed only when an age is set', () => {
  expect(refreshPolicy(loadConfig(needed))).toBeUndefined();
  expect(refreshPolicy(loadConfig({ ...needed, REFRESH_AFTER_DAYS: '7' }))).toEqual({
    afterMs: 7 * dayMs,
    perDay: 1_000,
  });
  expect(() => loadConfig({ ...needed, REFRESHES_PER_DAY: '500' })).toThrow(
    'REFRESHES_PER_DAY: has no effect without REFRESH_AFTER_DAYS',
  );
});

it('all errors of the configuration are reported together', () => {
  const faulty = { LEASE_MS: '10', TICK_MS: 'often' };
  expect(() => loadConfig(faulty)).toThrow(/MONGODB_URL[\s\S]*KAFKA_BROKERS[\s\S]*LEASE_MS[\s\S]*TICK_MS/);
});

const development = () => {
  const { id, privateKey } = developmentSigningKey('scan-scheduler');
  return `${id}:${privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64')}`;
};

it.each([
  [{ PERMIT_SIGNING_KEY: '' }, 'PERMIT_SIGNING_KEY: is required in production'],
  [{ PERMIT_SIGNING_KEY: 'short' }, 'PERMIT_SIGNING_KEY: must be id:key'],
  [{ PERMIT_SIGNING_KEY: development() }, 'PERMIT_SIGNING_KEY: is public, so production refuses it'],
  [
    { PERMIT_SIGNING_KEY: `1:${'A'.repeat(43)}` },
    'PERMIT_SIGNING_KEY: repeats itself or counts, so production refuses it',
  ],
])('production refuses a missing, an invalid, a public and a repeated signing key: %#', (env, problem) => {
  expect(() => loadConfig({ ...needed, ...env })).toThrow(problem);
});

it('a system for development signs with the key that everybody can compute, unless it has another', () => {
  const env = { ...needed, SHOPSCOPE_ENV: 'development' };
  expect(isDevelopmentKey(permitSigningKey(loadConfig({ ...env, PERMIT_SIGNING_KEY: '' })).privateKey)).toBe(true);
  const own = permitSigningKey(loadConfig(env));
  expect([own.id, isDevelopmentKey(createPublicKey(own.privateKey))]).toEqual(['1', false]);
});
