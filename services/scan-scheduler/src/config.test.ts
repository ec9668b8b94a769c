import { expect, it } from 'vitest';
import { loadConfig, visitIntervalMs } from './config.ts';

const needed = { MONGODB_URL: 'mongodb://127.0.0.1', KAFKA_BROKERS: '127.0.0.1:9092', HOST: '127.0.0.1' };

it('the defaults are the documented ones', () => {
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

it('the visit interval is longer in production', () => {
  expect(visitIntervalMs(loadConfig(needed))).toBe(30_000);
  expect(visitIntervalMs(loadConfig({ ...needed, SHOPSCOPE_ENV: 'test' }))).toBe(1_000);
  expect(visitIntervalMs(loadConfig({ ...needed, VISIT_INTERVAL_MS: '0' }))).toBe(0);
});

it('all errors are reported together', () => {
  const faulty = { LEASE_MS: '10', TICK_MS: 'often' };
  expect(() => loadConfig(faulty)).toThrow(/MONGODB_URL[\s\S]*KAFKA_BROKERS[\s\S]*LEASE_MS[\s\S]*TICK_MS/);
});
